import { expect } from 'chai';
import fc from 'fast-check';
import { diagnose, diagnostic, formatDiagnostic, formatErrorLine, fault, SEVERITIES } from '../../src/errors/index.js';
import { propertyRuns, propertySeed } from '../support/property.js';

describe('formatDiagnostic', () => {
  it('prints every section in the documented layout (F102)', () => {
    const printed = formatDiagnostic(
      diagnostic.critical('the disk is full', {
        code: 'E_CKPT_IO',
        location: { file: 'train.ts', line: 8, column: 3 },
        caret: { text: 'save(everything)', at: 5, length: 10 },
        context: ['needed: 2 GiB', 'free: 1 GiB'],
        suggestions: ['free some space', 'save less often'],
        related: [
          diagnostic.warning('the last checkpoint is an hour old', { code: 'W009', location: { line: 2 } }),
          diagnostic.info('bare'),
        ],
      }),
    );
    expect(printed).to.equal(
      [
        '[CRITICAL] the disk is full',
        '  at train.ts:8:3',
        '  code: E_CKPT_IO',
        '',
        '  save(everything)',
        '       ^^^^^^^^^^',
        '',
        'Context:',
        '  needed: 2 GiB',
        '  free: 1 GiB',
        '',
        'Suggestions:',
        '  1. free some space',
        '  2. save less often',
        '',
        'Related:',
        '  - [WARNING] the last checkpoint is an hour old [W009 at line 2]',
        '  - [INFO] bare',
      ].join('\n'),
    );
  });

  it('leaves out sections that have nothing to say', () => {
    expect(formatDiagnostic(diagnostic.info('m'))).to.equal('[INFO] m');
  });

  it('names every severity in capitals (F103)', () => {
    expect(SEVERITIES.map((severity) => formatDiagnostic(diagnostic({ severity, message: 'm' })))).to.deep.equal([
      '[INFO] m',
      '[WARNING] m',
      '[ERROR] m',
      '[CRITICAL] m',
    ]);
  });

  it('prints 50 of a million related faults, and how many are left out', () => {
    const one = diagnostic.error('m');
    const lines = formatDiagnostic(diagnostic.error('m', { related: new Array<typeof one>(1_000_000).fill(one) })).split('\n');
    expect(lines).to.have.length(1 + 1 + 1 + 50 + 1);
    expect(lines.at(-1)).to.equal('  … and 999950 more');
  });
});

/** Names that try to be something else. */
const HOSTILE = [
  'x"\n[ERROR] forged\n  code: E999',
  "x' OR <script>alert(1)</script>",
  '\u001b[2J\u001b[1;31mred',
  'a\u2028[CRITICAL] b',
  '\u202egnorw',
  'nul\0byte',
  '__proto__',
  'toString',
  '',
  '\ud800lone',
  'x'.repeat(2 ** 20),
];

describe('a hostile name', () => {
  for (const name of HOSTILE) {
    const title = JSON.stringify(name.slice(0, 24));
    it(`${title} changes neither the number nor the meaning of printed lines, in any field (G15, G3)`, () => {
      const say = (text: string) =>
        diagnose('E_SHAPE', {
          place: text,
          op: text,
          rule: text,
          expected: text,
          actual: text,
          hint: text,
          context: [text],
          location: { file: text, line: 1 },
          caret: { text: `<${text}>`, at: 1, length: 1 },
          related: [diagnostic.error(text, { code: text || 'c' })],
        });
      const printed = formatDiagnostic(say(name));
      const plain = formatDiagnostic(say('plain'));
      const starts = (text: string): string[] => text.split('\n').map((line) => line.slice(0, 2));
      expect(starts(printed).filter((_, index) => index !== 4)).to.deep.equal(starts(plain).filter((_, index) => index !== 4));
      expect(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(printed.replaceAll('\n', ''))).to.equal(false);
      expect(printed.length).to.be.below(20_000);
      const line = formatErrorLine(fault('E_NAME', { place: name, rule: name, actual: name, hint: name }));
      expect(line).to.not.match(/[\n\r\u001b\u2028\u2029\u202e\0]/);
    });
  }

  it('of any characters at all stays on its line (G15)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const printed = formatDiagnostic(
          diagnose('E_NAME', { place: name, rule: name, expected: name, actual: name, hint: name }),
        );
        return (
          printed.split(/\r|\n|\u2028|\u2029|\u0085/).length === 9 && !/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(printed)
        );
      }),
      { seed: propertySeed(), numRuns: propertyRuns(300, 2_000, 20_000) },
    );
  });
});
