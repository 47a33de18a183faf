import { expect } from 'chai';
import { JSON_LIMITS, jsonReader, parseJson, type JsonLimits } from '../../../src/graph/json/index.js';
import { propertyRuns } from '../../support/property.js';
import { leastTime } from '../../support/leastTime.js';
import { bytesOf, caught } from './caught.js';

const MB = 2 ** 20;

describe('Limits of the JSON reader', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  const keys = (count: number): string => `{${Array.from({ length: count }, (_, i) => `"k${i}":0`).join(',')}}`;
  const items = (count: number): string => `[${Array.from({ length: count }, () => '1').join(',')}]`;
  // prettier-ignore
  const rows: readonly (readonly [name: keyof JsonLimits, limit: number, text: (n: number) => string, read?: (text: string, limits: Partial<JsonLimits>) => unknown])[] = [
    ['bytes', 100, (n) => ' '.repeat(n - 1) + '1'],
    ['bytes', 100, (n) => `"${'é'.repeat(40)}${'x'.repeat(n - 82)}"`],
    ['depth', JSON_LIMITS.depth, nested],
    ['depth', JSON_LIMITS.depth, (n) => '{"a":'.repeat(n) + '1' + '}'.repeat(n), (text, limits) => jsonReader(text, limits).skip()],
    ['depth', JSON_LIMITS.depth, (n) => '['.repeat(n) + '1' + ']'.repeat(n), (text, limits) => jsonReader(text, limits).numbers()],
    ['depth', 3, nested, (text, limits) => { const reader = jsonReader(text, limits); const walk = (): void => reader.array(walk); walk(); }],
    ['stringBytes', 100, (n) => `["${'x'.repeat(n)}"]`],
    ['stringBytes', 100, (n) => `{"${'x'.repeat(n - 2)}\\n": 1}`],
    ['numberBytes', JSON_LIMITS.numberBytes, (n) => `0.${'1'.repeat(n - 2)}`],
    ['numberBytes', 20, (n) => '1'.repeat(n)],
    ['keys', 5, keys], ['keys', 1000, keys], ['keys', 1000, keys, (text, limits) => jsonReader(text, limits).object(() => undefined)],
    ['values', 100, (n) => items(n - 1)],
    ['elements', 100, items, (text, limits) => jsonReader(text, limits).numbers()],
    ['elements', 100, items, (text, limits) => jsonReader(text, limits).integers()],
  ];
  for (const [index, [name, limit, text, read = parseJson]] of rows.entries()) {
    it(`takes ${name} at the limit of ${limit} and refuses one more (G14), case ${index + 1}`, () => {
      read(text(limit), { [name]: limit });
      const error = caught(() => read(text(limit + 1), { [name]: limit }));
      expect(error.code).to.equal('E_LIMIT');
      expect(error.message).to.contain(String(limit)).and.contain(`limits: { ${name}: … }`);
    });
  }

  it('have the documented defaults, and refuse what is no count', () => {
    expect(JSON_LIMITS).to.deep.equal({
      bytes: 256 * MB,
      depth: 64,
      stringBytes: 64 * MB,
      numberBytes: 1100,
      keys: 4_194_304,
      values: 1_000_000,
      elements: 33_554_432,
    });
    for (const limit of [-1, 0.5, NaN, '7'])
      expect(caught(() => parseJson('1', { depth: limit as number })).code).to.equal('E_ARGUMENT');
    expect(parseJson('1', { depth: undefined, bytes: Infinity })).to.equal(1);
  });

  it('admit the exact decimal form of every float64', () => {
    const smallest = `0.${'0'.repeat(323)}${(5n ** 1074n).toString()}`; // 2^-1074 = 5^1074 / 10^1074
    expect(smallest.length).to.be.within(1075, 1077);
    expect(parseJson(smallest)).to.equal(5e-324);
  });
});

describe('Hostile JSON', function () {
  this.timeout(60_000);
  const long = propertyRuns(2, 8, 8) * MB;
  const many = propertyRuns(3e4, 5e5, 5e5);
  // prettier-ignore
  const rows: readonly (readonly [title: string, source: () => string | Uint8Array, code: 'E_PARSE' | 'E_LIMIT' | 'value', limits?: Partial<JsonLimits>])[] = [
    ['nesting 1e7 deep', () => '['.repeat(1e7), 'E_LIMIT'],
    ['a string longer than allowed', () => `"${'x'.repeat(long)}"`, 'E_LIMIT', { stringBytes: MB }],
    ['a long string', () => `"${'x'.repeat(long)}"`, 'value'],
    ['a long string of escapes', () => `"${'\\n'.repeat(long / 2)}"`, 'value'],
    ['a long string of multi-byte characters', () => `"${'é'.repeat(long / 2)}"`, 'value'],
    ['a string that never ends', () => `"${'x'.repeat(long)}`, 'E_PARSE'],
    ['more keys than allowed', () => `{${Array.from({ length: 1.2 * many }, (_, i) => `"${i}":0`).join(',')}}`, 'E_LIMIT', { keys: many }],
    ['many keys', () => `{${Array.from({ length: many }, (_, i) => `"${i}":0`).join(',')}}`, 'value'],
    ['a million-digit number', () => '9'.repeat(1e6), 'E_LIMIT'],
    ['a number of eight million digits behind a point', () => `[0.${'1'.repeat(long)}]`, 'E_LIMIT'],
    ['invalid UTF-8 at the far end', () => bytesOf(`["${'x'.repeat(MB)}`, 0xff), 'E_PARSE'],
    ['a byte order mark', () => `\ufeff[${'1,'.repeat(1e6)}1]`, 'E_PARSE'],
    ['bytes behind the end', () => `[${'1,'.repeat(4e5)}1]${' '.repeat(long)}x`, 'E_PARSE'],
    ['a duplicate at the end of many keys', () => `{${Array.from({ length: many }, (_, i) => `"${i}":0`).join(',')},"7":1}`, 'E_PARSE'],
    ['a comment behind eight million line ends', () => `${'\n'.repeat(long)}// no`, 'E_PARSE'],
    ['empty arrays without number', () => `[${'[],'.repeat(2e6)}[]]`, 'E_LIMIT'],
    ['half a surrogate pair at the far end', () => `["${'é'.repeat(long / 2)}\ud800"]`, 'E_PARSE'],
  ];
  for (const [title, source, code, limits] of rows) {
    it(`costs less than 100 ms a megabyte: ${title} (G7)`, () => {
      const text = source();
      let outcome = 'value';
      const bound = 100 * Math.max(1, text.length / MB);
      const spent = leastTime(bound, () => {
        try {
          parseJson(text, limits);
        } catch (error) {
          outcome = (error as { code: string }).code;
        }
      });
      expect(outcome).to.equal(code);
      expect(spent).to.be.below(bound);
    });
  }

  it('of more bytes than allowed is refused before it is copied (G7)', () => {
    const text = 'x'.repeat(2 ** 28 + 1);
    expect(leastTime(100, () => expect(caught(() => jsonReader(text)).code).to.equal('E_LIMIT'))).to.be.below(100);
  });

  it('nested a hundred thousand deep and more needs no call stack where the depth is allowed (G7)', () => {
    const deep = '[{"a":'.repeat(propertyRuns(1e5, 5e5, 5e5));
    for (const read of [parseJson, (text: string, limits: Partial<JsonLimits>) => jsonReader(text, limits).skip()]) {
      expect(caught(() => read(deep, { depth: 1e6, values: 1e6 })).message).to.contain('got the end of the text');
    }
    expect(caught(() => jsonReader('['.repeat(1e6), { depth: 1e6 }).numbers()).message).to.contain('got the end of the text');
  });

  it('is read from any view of a larger buffer', () => {
    expect(parseJson(bytesOf('xx[1]yy').subarray(2, 5))).to.deep.equal([1]);
  });
});
