import { expect } from 'chai';
import fc from 'fast-check';
import { EinstreamError, singleLine } from '../../../src/errors/index.js';
import { parseJson } from '../../../src/graph/json/index.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { bytesOf, caught } from './caught.js';

const encoder = new TextEncoder();

/** Equal as data: the same kinds, keys and numbers (−0 is not 0), whatever the prototypes. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every(
    (key) => Object.hasOwn(b, key) && isSame((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
}

/** What JSON.parse takes and we do not, by the rule our error names. */
const STRICTER = [
  'the keys of an object differ',
  'a number must be finite as a float64',
  'JSON starts without a byte order mark',
];

describe('The JSON grammar', () => {
  // prettier-ignore
  const accepted: readonly (readonly [text: string, value: unknown])[] = [
    ['0', 0], ['-0', -0], [' \t\r\n1\n', 1], ['-12.5e+2', -1250], ['1E-2', 0.01], ['0e999999999', 0], ['1e-400', 0], ['5e-324', 5e-324],
    ['9007199254740993', 9007199254740992], ['1.7976931348623157e308', Number.MAX_VALUE], ['0.1', 0.1], ['123456789012345678901234567890', 1.2345678901234568e29],
    ['9007199254740991e22', 9007199254740991e22], ['0.30000000000000004', 0.30000000000000004], ['2.2250738585072011e-308', 2.225073858507201e-308],
    ['true', true], ['false', false], ['null', null], ['""', ''], ['"a\\u0062\\n\\"\\\\\\/\\b\\f\\r\\t"', 'ab\n"\\/\b\f\r\t'],
    ['"\\ud83d\\ude00"', '😀'], ['"😀é漢"', '😀é漢'], ['"é\\n😀"', 'é\n😀'], ['"\\ud800"', '\ud800'], ['"\u007f\u2028"', '\u007f\u2028'], ['"\ufeffx"', '\ufeffx'],
    ['[]', []], ['{}', {}], ['[ [ ] , { } ]', [[], {}]], ['{"a":{"b":[1,{"c":null}]},"d":2}', { a: { b: [1, { c: null }] }, d: 2 }],
  ];
  for (const [text, value] of accepted) {
    it(`reads ${singleLine(text)}`, () => {
      expect(isSame(parseJson(text), value), 'from a string').to.equal(true);
      expect(isSame(parseJson(encoder.encode(text)), value), 'from bytes').to.equal(true);
    });
  }

  // prettier-ignore
  const refused: readonly (readonly [text: string, line: number, column: number, words: RegExp])[] = [
    ['', 1, 1, /the end of the text/], [' \n ', 2, 2, /the end of the text/], ['[1,]', 1, 4, /remove the comma/], ['{"a":1,}', 1, 8, /remove the comma/],
    ['[,1]', 1, 2, /remove the comma/], ['[1 2]', 1, 4, /',' or '\]'/], ['{"a" 1}', 1, 6, /':'/], ['{a:1}', 1, 2, /double quotes/], ["{'a':1}", 1, 2, /double quotes/],
    ['[1}', 1, 3, /',' or '\]'/], ['{"a":1]', 1, 7, /',' or '\}'/], ['[', 1, 2, /cut short/], ['{"a"', 1, 5, /cut short/], ['{"a":', 1, 6, /cut short/],
    ['01', 1, 1, /leading zeros/], ['-01', 1, 2, /leading zeros/], ['-', 1, 2, /digit/], ['+1', 1, 1, /starts with a digit/], ['.5', 1, 1, /starts with a digit/], ['1.', 1, 3, /digit/],
    ['1.e3', 1, 3, /digit/], ['1e', 1, 3, /digit/], ['1e+', 1, 4, /digit/], ['0x10', 1, 2, /the end/], ['1_000', 1, 2, /the end/],
    ['1e400', 1, 1, /finite.*got 1e400/], ['[-1e400]', 1, 2, /finite.*got -1e400/], ['NaN', 1, 1, /"NaN"/], ['[1,\n -Infinity]', 2, 3, /"-Infinity"/], ['nan', 1, 1, /"NaN"/],
    ['True', 1, 1, /lower case/], ['nul', 1, 1, /null/], ['truex', 1, 5, /the end/], ['undefined', 1, 1, /literals/],
    ['"abc', 1, 1, /never ends/], ['"a\nb"', 1, 3, /control.*\\u000a/], ['"\u0000"', 1, 2, /control/], ['"\\x41"', 1, 2, /escape/], ['"\\u12g4"', 1, 2, /hexadecimal/],
    ['"\\u12', 1, 2, /hexadecimal/], ['"\\', 1, 2, /escape/], ['"é\\q"', 1, 3, /escape/], ['{"a":1,\n"a":2}', 2, 1, /"a" a second time/], ['{"a":1,"\\u0061":2}', 1, 8, /second time/],
    ['[{"a":1},{"b":{"c":1,"c":1}}]', 1, 22, /second time/], ['{} {}', 1, 4, /the end of the text/], ['1 // no', 1, 3, /comments/], ['/* no */ 1', 1, 1, /comments/], ['# no', 1, 1, /comments/],
    ['\ufeff1', 1, 1, /byte order mark.*first three bytes/], ['["\ud800"]', 1, 3, /surrogate.*\\ud800/], ['[1\u00a0]', 1, 3, /got '\u00a0'/], ['[1\u000b]', 1, 3, /byte 0x0b/],
  ];
  for (const [text, line, column, words] of refused) {
    it(`refuses ${singleLine(text) || 'the empty text'} at line ${line}, column ${column}`, () => {
      const error = caught(() => parseJson(text, {}, 'x.json'));
      expect(error.code).to.equal('E_PARSE');
      expect(error.message).to.match(words);
      expect(error.diagnostic.location).to.deep.equal({ file: 'x.json', line, column });
    });
  }

  // prettier-ignore
  const badBytes: readonly (readonly [bytes: Uint8Array, at: number])[] = [
    [bytesOf('"', 0x80, '"'), 1], [bytesOf('"a', 0xc0, 0x80, '"'), 2], [bytesOf('"', 0xc3, '"'), 1], [bytesOf('"', 0xe0, 0x9f, 0x80, '"'), 1], [bytesOf('"', 0xed, 0xa0, 0x80, '"'), 1],
    [bytesOf('"', 0xf0, 0x8f, 0x80, 0x80, '"'), 1], [bytesOf('"', 0xf4, 0x90, 0x80, 0x80, '"'), 1], [bytesOf('"', 0xf5, 0x80, 0x80, 0x80, '"'), 1], [bytesOf('"', 0xe2, 0x82), 1],
    [bytesOf('[', 0xff, ']'), 1], [bytesOf('{"', 0xff, '":1}'), 2], [bytesOf(0xff, 0xfe, '1'), 0], [bytesOf(0xef, 0xbb, 0xbf, '1'), 0],
  ];
  for (const [bytes, at] of badBytes) {
    it(`refuses the bytes ${Array.from(bytes, (byte) => byte.toString(16)).join(' ')} at byte ${at}`, () => {
      const error = caught(() => parseJson(bytes));
      expect(error.code).to.equal('E_PARSE');
      expect(error.message).to.contain(`at byte ${at}`);
    });
  }

  it('shows the line with a caret under the fault, cut around it and free of control characters', () => {
    const { caret } = caught(() =>
      parseJson(`[1,\n"\u001b[31m é", ${'9,'.repeat(100)} oops, ${'9,'.repeat(100)}\n7]`),
    ).diagnostic;
    expect(caught(() => parseJson('[1,\n  "é", oops,\n7]')).diagnostic.caret).to.deep.equal({
      text: '  "é", oops,',
      at: 7,
      length: 1,
    });
    expect(caught(() => parseJson('{"a":1,"a":2}')).diagnostic.caret).to.deep.equal({ text: '{"a":1,"a":2}', at: 7, length: 3 });
    expect(caret!.text).to.have.length.below(120).and.not.contain('\u001b');
  });

  it('counts lines and columns from the place given, as a line of a longer file has them', () => {
    const error = caught(() => parseJson('[1,,2]', {}, { file: 'feeds.ndjson', line: 17 }));
    expect(error.diagnostic.location).to.deep.equal({ file: 'feeds.ndjson', line: 17, column: 4 });
    expect(error.message).to.match(/^"feeds\.ndjson line 17, column 4": /);
  });

  it('refuses a source that is neither text nor bytes', () => {
    for (const source of [null, undefined, 7, {}, [1]]) {
      expect(caught(() => parseJson(source as string)).code).to.equal('E_ARGUMENT');
    }
  });

  it('agrees with JSON.parse on every valid text', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary', maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t'), (text, indent) => {
        const indented = JSON.stringify(JSON.parse(text), undefined, indent);
        expect(isSame(parseJson(indented), JSON.parse(indented))).to.equal(true);
        expect(isSame(parseJson(encoder.encode(indented)), JSON.parse(indented))).to.equal(true);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(500, 5_000, 200_000) },
    );
  });

  it('reads any float64, however written, to the nearest one', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 24 });
    const written = fc
      .tuple(fc.constantFrom('', '-'), fc.nat(99_999_999).map(String), digits, fc.integer({ min: -330, max: 290 }))
      .map(([sign, whole, part, exponent]) => `${sign}${whole}.${part}e${exponent}`);
    const printed = fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => (Object.is(x, -0) ? '-0' : String(x)));
    fc.assert(
      fc.property(
        fc.oneof(
          written,
          printed,
          digits.map((text) => text.replace(/^0+(?=.)/, '')),
        ),
        (text) => {
          expect(Object.is(parseJson(text), JSON.parse(text)), text).to.equal(true);
        },
      ),
      { seed: propertySeed(), numRuns: propertyRuns(2_000, 20_000, 1_000_000) },
    );
  });

  it('gives, for a text with bytes changed, the value of JSON.parse or an error that says why not', () => {
    const edits = fc.array(
      fc.tuple(
        fc.nat(),
        fc.constantFrom('set', 'insert', 'delete'),
        fc.oneof(fc.nat(255), fc.constantFrom(...encoder.encode('"\\{}[],:0-.e \n/tnf'))),
      ),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), edits, (text, changes) => {
        const bytes = [...encoder.encode(text)];
        for (const [where, how, byte] of changes) {
          const at = where % (bytes.length + 1);
          bytes.splice(at, how === 'insert' ? 0 : 1, ...(how === 'delete' ? [] : [byte]));
        }
        assertAgreement(Uint8Array.from(bytes));
      }),
      { seed: propertySeed(), numRuns: propertyRuns(3_000, 30_000, 1_000_000) },
    );
  });
});

function assertAgreement(bytes: Uint8Array): void {
  let theirs: { readonly value: unknown } | undefined;
  try {
    theirs = { value: JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)) };
  } catch {
    theirs = undefined;
  }
  let ours: unknown;
  try {
    ours = parseJson(bytes);
  } catch (error) {
    if (!(error instanceof EinstreamError)) throw error;
    expect(error.code).to.equal('E_PARSE');
    if (theirs !== undefined) expect(error.diagnostic.rule).to.be.oneOf(STRICTER);
    return;
  }
  expect(theirs, 'JSON.parse refuses what we took').to.not.equal(undefined);
  expect(isSame(ours, theirs!.value)).to.equal(true);
}
