import { expect } from 'chai';
import { diagnose, formatDiagnostic, type Caret } from '../../src/errors/index.js';
import { caretLines } from '../../src/errors/caret.js';

const shown = (caret: Caret): string => caretLines(caret).join('\n');

describe('caretLines', () => {
  it('puts carets under the faulty part (F104)', () => {
    expect(shown({ text: 'ij,jk->ik', at: 4, length: 1 })).to.equal('ij,jk->ik\n    ^');
    expect(shown({ text: 'ij,jk->ik', at: 3, length: 2 })).to.equal('ij,jk->ik\n   ^^');
  });

  it('puts one behind the end of the text when something is missing there', () => {
    expect(shown({ text: 'ij,jk', at: 5, length: 0 })).to.equal('ij,jk\n     ^');
    expect(shown({ text: '', at: 0, length: 0 })).to.equal('\n^');
  });

  it('stays within the text whatever it is given', () => {
    expect(shown({ text: 'abc', at: -5, length: 1 })).to.equal('abc\n^');
    expect(shown({ text: 'abc', at: 99, length: 99 })).to.equal('abc\n   ^');
    expect(shown({ text: 'abc', at: NaN, length: NaN })).to.equal('abc\n^');
    expect(shown({ text: 'abc', at: 1, length: 1e9 })).to.equal('abc\n ^^');
  });

  it('counts terminal columns: wide characters two, combining marks none', () => {
    expect(shown({ text: '日本x', at: 2, length: 1 })).to.equal('日本x\n    ^');
    expect(shown({ text: '日本x', at: 0, length: 2 })).to.equal('日本x\n^^^^');
    expect(shown({ text: 'e\u0301x', at: 2, length: 1 })).to.equal('e\u0301x\n ^');
    expect(shown({ text: '😀x', at: 2, length: 1 })).to.equal('😀x\n  ^');
  });

  it('marks a whole pair when it is pointed into its middle', () => {
    expect(shown({ text: 'a😀b', at: 2, length: 1 })).to.equal('a😀b\n ^^');
  });

  it('counts an escape as the characters it is shown by (G15)', () => {
    expect(shown({ text: '\u001b[1mx', at: 4, length: 1 })).to.equal('\\u001b[1mx\n         ^');
    expect(shown({ text: 'a\0b', at: 1, length: 1 })).to.equal('a\\u0000b\n ^^^^^^');
  });

  it('shows only the line that holds the fault', () => {
    expect(shown({ text: 'one\ntwo\nthree', at: 5, length: 1 })).to.equal('two\n ^');
    expect(shown({ text: 'one\ntwo', at: 3, length: 1 })).to.equal('one\n   ^');
    expect(shown({ text: 'one\ntwo', at: 1, length: 9 })).to.equal('one\n ^^');
  });

  it('shows 40 columns on either side of a fault in a long text', () => {
    const [text, carets] = caretLines({ text: `${'a'.repeat(500_000)}!${'b'.repeat(500_000)}`, at: 500_000, length: 1 });
    expect(text).to.equal(`…${'a'.repeat(40)}!${'b'.repeat(40)}…`);
    expect(carets).to.equal(`${' '.repeat(41)}^`);
  });

  it('cuts a long fault', () => {
    expect(shown({ text: 'x'.repeat(100), at: 0, length: 100 })).to.equal(`${'x'.repeat(40)}…\n${'^'.repeat(40)}`);
  });

  it('bounds a heap of combining marks', () => {
    expect(caretLines({ text: `a${'\u0301'.repeat(100_000)}`, at: 0, length: 1 })[0].length).to.be.below(1_000);
  });
});

describe('a diagnostic with a caret', () => {
  it('shows it between the code and the context (F104)', () => {
    const printed = formatDiagnostic(
      diagnose('E_SHAPE', {
        place: 's',
        op: 'einsum',
        rule: 'j has one size',
        caret: { text: 'ij,jk->ik', at: 3, length: 1 },
        expected: '2',
        actual: '3',
      }),
    );
    expect(printed.split('\n').slice(1)).to.deep.equal([
      '  code: E001',
      '',
      '  ij,jk->ik',
      '     ^',
      '',
      'Context:',
      '  expected: 2',
      '  got:      3',
    ]);
  });
});
