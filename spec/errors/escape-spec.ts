import { expect } from 'chai';
import fc from 'fast-check';
import { excerpt, quoted, singleLine } from '../../src/errors/index.js';
import { propertyRuns, propertySeed } from '../support/property.js';

/** What a terminal or a log reader could mistake: breaks, escapes, marks that reorder or hide, halves of a pair. */
const DANGEROUS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

describe('singleLine', () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ['a newline', 'a\nb', 'a\\u000ab'],
    ['a carriage return', 'a\rb', 'a\\u000db'],
    ['NUL', 'a\0b', 'a\\u0000b'],
    ['an ANSI colour', '\u001b[31mred\u001b[0m', '\\u001b[31mred\\u001b[0m'],
    ['the one-unit control sequence introducer', '\u009b31m', '\\u009b31m'],
    ['a line separator', 'a\u2028b', 'a\\u2028b'],
    ['a paragraph separator', 'a\u2029b', 'a\\u2029b'],
    ['a right-to-left override', 'a\u202eb', 'a\\u202eb'],
    ['an isolate', 'a\u2066b\u2069', 'a\\u2066b\\u2069'],
    ['an Arabic letter mark', 'a\u061cb', 'a\\u061cb'],
    ['a zero-width space', 'a\u200bb', 'a\\u200bb'],
    ['a byte order mark', '\ufeffa', '\\ufeffa'],
    ['a tag character beyond the first plane', 'a\u{e0041}', 'a\\u{e0041}'],
    ['a lone high surrogate', 'a\ud83d', 'a\\ud83d'],
    ['a lone low surrogate', '\ude00a', '\\ude00a'],
  ];
  for (const [what, text, shown] of rows) {
    it(`writes ${what} as an escape (G15)`, () => expect(singleLine(text)).to.equal(shown));
  }

  it('leaves letters of any script, emoji and quotes alone', () => {
    const text = 'naïve Σ 日本 עברית 😀 <b>"x"</b> \\n';
    expect(singleLine(text)).to.equal(text);
  });

  it('leaves nothing dangerous of any text, and changes no second time (G15)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = singleLine(text);
        return !DANGEROUS.test(once) && singleLine(once) === once;
      }),
      { seed: propertySeed(), numRuns: propertyRuns(500, 2_000, 50_000) },
    );
  });
});

describe('excerpt', () => {
  it('keeps a text of the limit whole and says the length of a longer one', () => {
    expect(excerpt('abc', 3)).to.equal('abc');
    expect(excerpt('abcd', 3)).to.equal('abc… (4 characters)');
  });

  it('does not cut a surrogate pair in two', () => {
    expect(excerpt('ab😀cd', 3)).to.equal('ab… (6 characters)');
  });

  it('shortens a name of a megabyte to a line (G3)', () => {
    expect(excerpt('x'.repeat(2 ** 20))).to.equal(`${'x'.repeat(80)}… (1048576 characters)`);
  });
});

describe('quoted', () => {
  it('escapes quotes, so that a name cannot end itself and go on as text (G15)', () => {
    expect(quoted('x": all is well; "y')).to.equal('"x\\": all is well; \\"y"');
  });

  it('escapes a backslash only where it would escape a quote', () => {
    expect(quoted('C:\\dir\\')).to.equal('"C:\\dir\\\\"');
    expect(quoted('a\\"b')).to.equal('"a\\\\\\"b"');
  });

  it('can be read back from its two outer quotes alone, whatever the name (G15)', () => {
    const closing = /(?<!\\)(?:\\\\)*"/; // a quote behind an even number of backslashes
    fc.assert(
      fc.property(fc.array(fc.constantFrom('"', '\\', 'a', ' '), { maxLength: 12 }), (units) => {
        const inside = quoted(units.join('')).slice(1);
        return closing.exec(inside)!.index + closing.exec(inside)![0].length === inside.length;
      }),
      { seed: propertySeed(), numRuns: propertyRuns(1_000, 5_000, 100_000) },
    );
  });
});
