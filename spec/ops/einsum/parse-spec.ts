import { expect } from 'chai';
import { EinstreamError } from '../../../src/errors/index.js';
import { parseEinsum, type Term } from '../../../src/ops/einsum/parse.js';

const shown = (term: Term): string =>
  term.ellipsis < 0
    ? term.labels.join('')
    : `${term.labels.slice(0, term.ellipsis).join('')}...${term.labels.slice(term.ellipsis).join('')}`;
const parsed = (spec: string): string => {
  const { inputs, output } = parseEinsum(spec);
  return `${inputs.map(shown).join(',')}->${shown(output)}`;
};

/** The spec with the faulty part underlined, then the code and the rule. */
function complaint(spec: string): readonly string[] {
  try {
    parseEinsum(spec);
  } catch (error) {
    const { code, diagnostic } = error as EinstreamError;
    const { text, at, length } = diagnostic.caret!;
    return [text, ' '.repeat(at) + '^'.repeat(length), `${code}: ${diagnostic.rule}`];
  }
  throw new Error(`"${spec}" was accepted`);
}

describe('the grammar of einsum (F146, F147)', () => {
  it('reads letters, commas, the arrow and free spaces', () => {
    for (const [spec, meaning] of [
      ['ij,jk->ik', 'ij,jk->ik'],
      [' i j , j k -> i k ', 'ij,jk->ik'],
      ['aZ->Za', 'aZ->Za'],
      ['ii->i', 'ii->i'],
      ['i->', 'i->'],
    ])
      expect(parsed(spec), spec).to.equal(meaning);
  });

  it('takes an empty subscript for a scalar', () => {
    for (const [spec, meaning] of [
      ['', '->'],
      ['->', '->'],
      [',', ',->'],
      ['a,->a', 'a,->a'],
      [',ab,->ab', ',ab,->ab'],
    ])
      expect(parsed(spec), spec).to.equal(meaning);
  });

  it('takes an ellipsis anywhere in a subscript', () => {
    for (const spec of ['...->...', '...ij->ji...', 'a...b->...ba', 'a...,b...->ab...', 'ij->...ij'])
      expect(parsed(spec), spec).to.equal(spec);
  });

  it('without an arrow gives the ellipsis axes, then letters that occur once, A-Z before a-z', () => {
    for (const [spec, output] of [
      ['ij,jk', 'ik'],
      ['ba', 'ab'],
      ['bA', 'Ab'],
      ['ii', ''],
      ['i,i,i', ''],
      ['a...', '...a'],
      ['k...j,ja', '...ak'],
    ])
      expect(shown(parseEinsum(spec).output), spec).to.equal(output);
  });

  it('says which rule a spec breaks, with a caret under the place', () => {
    expect(
      [
        'ij,j2->i',
        'i\tj',
        'i\nj',
        'é',
        'i😀',
        'ij..k',
        'i....j',
        '...a...',
        'ij>i',
        'ij-i',
        'i->j->k',
        'ij->i,j',
        'ij->jij',
        '...->a...b...',
      ].map(complaint),
    ).to.deep.equal([
      ['ij,j2->i', '    ^', rule('E_PARSE', GRAMMAR)],
      ['i\tj', ' ^', rule('E_PARSE', GRAMMAR)],
      ['i\nj', ' ^', rule('E_PARSE', GRAMMAR)],
      ['é', '^', rule('E_PARSE', GRAMMAR)],
      ['i😀', ' ^^', rule('E_PARSE', GRAMMAR)],
      ['ij..k', '  ^^', rule('E_PARSE', 'an ellipsis is exactly three dots')],
      ['i....j', ' ^^^^', rule('E_PARSE', 'an ellipsis is exactly three dots')],
      ['...a...', '    ^^^', rule('E_PARSE', 'a subscript may hold one ellipsis')],
      ['ij>i', '  ^', rule('E_PARSE', 'an arrow is written "->"')],
      ['ij-i', '  ^', rule('E_PARSE', 'an arrow is written "->"')],
      ['i->j->k', '    ^^', rule('E_PARSE', 'a spec has at most one arrow')],
      ['ij->i,j', '     ^', rule('E_PARSE', 'the output is one subscript: no comma may follow the arrow')],
      ['ij->jij', '      ^', rule('E_PARSE', 'the output may hold letter j once')],
      ['...->a...b...', '          ^^^', rule('E_PARSE', 'a subscript may hold one ellipsis')],
    ]);
  });

  it('names the node where it knows it', () => {
    const error = caught(() => parseEinsum('i;j', { place: 'scores', nodeId: 3 }));
    expect(error.message).to.match(/^"scores" einsum "i;j": a spec is made of/);
    expect(error.nodeId).to.equal(3);
  });

  it('gives the same answer for a spec seen before, and forgets old ones', () => {
    const first = parseEinsum('ab,bc->ac');
    expect(parseEinsum('ab,bc->ac')).to.equal(first);
    for (let i = 0; i < 600; i++) parseEinsum(`ab${' '.repeat(i)}->ba`);
    expect(parseEinsum('ab,bc->ac')).to.not.equal(first);
    expect(parseEinsum('ab,bc->ac')).to.deep.equal(first);
  });

  it('has limits, and says which was passed', () => {
    expect(caught(() => parseEinsum('a,'.repeat(1000))).message).to.contain(
      'a spec has a bounded number of operands; expected at most 1000',
    );
    expect(caught(() => parseEinsum('a'.repeat(65))).message).to.contain('letters in a subscript; expected at most 64');
    expect(caught(() => parseEinsum(' '.repeat(1_000_001))).code).to.equal('E_LIMIT');
    expect(parseEinsum(',a'.repeat(999)).inputs).to.have.length(1000);
    expect(parseEinsum('a'.repeat(64)).inputs[0].labels).to.have.length(64);
  });
});

const GRAMMAR = 'a spec is made of the letters a-z and A-Z, spaces, commas, "..." and one "->"';
const rule = (code: string, text: string): string => `${code}: ${text}`;

function caught(run: () => unknown): EinstreamError {
  try {
    run();
  } catch (error) {
    if (error instanceof EinstreamError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
