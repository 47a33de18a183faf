import { expect } from 'chai';
import fc from 'fast-check';
import { jsonReader, jsonString, parseJson } from '../../../src/graph/json/index.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { caught } from './caught.js';

describe('jsonReader', () => {
  it('reads what a schema asks for, in the order of the text, and skips the rest', () => {
    const reader = jsonReader('{"a": ["x", true, null, -0], "skipped": {"deep": [[{"a": 1}]]}, "b": {"c": 12}}');
    const seen: unknown[] = [];
    reader.object((key) => {
      if (key === 'a') {
        reader.array((index) => {
          seen.push([index, reader.peek()]);
          if (index === 0) seen.push(reader.string());
          if (index === 1) seen.push(reader.boolean());
          if (index === 2) seen.push(reader.null());
          if (index === 3) seen.push(Object.is(reader.number(), -0));
        });
      } else if (key === 'b') reader.object((inner) => seen.push([inner, reader.integer()]));
      else seen.push(key);
    });
    reader.end();
    expect(reader.peek()).to.equal('end');
    expect(seen).to.deep.equal([
      [0, 'string'],
      'x',
      [1, 'boolean'],
      true,
      [2, 'null'],
      null,
      [3, 'number'],
      true,
      'skipped',
      ['c', 12],
    ]);
  });

  it('reads one value after another, so that a stream of lines can share a reader', () => {
    const reader = jsonReader('{"x":1}\n[2]\n3');
    const values: unknown[] = [];
    while (reader.peek() !== 'end') values.push(reader.value());
    expect(JSON.stringify(values)).to.equal('[{"x":1},[2],3]');
  });

  it('names both kinds where another value stands', () => {
    // prettier-ignore
    const calls: readonly (readonly [text: string, call: (reader: ReturnType<typeof jsonReader>) => unknown, words: RegExp])[] = [
      ['1', (r) => r.string(), /expected a string, got a number/], ['"1"', (r) => r.number(), /expected a number, got a string/], ['[1]', (r) => r.object(() => undefined), /expected an object, got an array/],
      ['{}', (r) => r.array(() => undefined), /expected an array, got an object/], ['null', (r) => r.boolean(), /expected true or false, got null/], ['true', (r) => r.null(), /expected null, got true or false/],
      ['', (r) => r.integer(), /got the end of the text/], ['[1, "2"]', (r) => r.integers(), /expected a number, got a string/],
    ];
    for (const [text, call, words] of calls) {
      const error = caught(() => call(jsonReader(text)));
      expect(error.code).to.equal('E_PARSE');
      expect(error.message).to.match(words);
    }
  });

  it('takes an integer as digits alone and exactly: 2^53 - 1 passes, 2^53 and any fraction or exponent do not', () => {
    expect(jsonReader('9007199254740991').integer()).to.equal(2 ** 53 - 1);
    expect(jsonReader('-9007199254740991').integer()).to.equal(1 - 2 ** 53);
    expect(Object.is(jsonReader('-0').integer(), 0)).to.equal(true);
    expect(jsonReader('[0, 10,\n-3]').integers()).to.deep.equal([0, 10, -3]);
    expect(jsonReader('[]').integers()).to.deep.equal([]);
    for (const text of [
      '9007199254740992',
      '9007199254740993',
      '-99999999999999999999',
      '1.0',
      '1e3',
      '1.00000000000000000001',
      '01',
      '-',
    ]) {
      const error = caught(() => jsonReader(text).integer());
      expect(error.code, text).to.equal('E_PARSE');
    }
    expect(caught(() => jsonReader('[1, 9007199254740993]').integers()).message).to.contain('got 9007199254740993 at byte 4');
  });

  it('lets the caller raise an error at a byte that it remembers', () => {
    const reader = jsonReader('{"op":\n  "what"}', {}, 'g.json');
    let at = 0;
    reader.object(() => {
      at = reader.offset();
      reader.string();
    });
    const error = reader.fault('E_PARSE', { rule: 'the op must be known', actual: '"what"', length: 6 }, at);
    expect(error.message).to.equal('"g.json line 2, column 3": the op must be known; got "what" at byte 9');
    expect(error.diagnostic.caret).to.deep.equal({ text: '  "what"}', at: 2, length: 6 });
  });

  it('passes on what a callback throws, the same object', () => {
    const own = new Error('mine');
    let thrown: unknown;
    try {
      jsonReader('[1]').array(() => {
        throw own;
      });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).to.equal(own);
  });

  it('skips as strictly as it reads', () => {
    for (const text of ['{"a":1,"a":1}', '[1e400]', '["\\x"]', '[01]', '[1,]', '[[{"k":tru}]]', '[']) {
      expect(caught(() => jsonReader(text).skip()).code, text).to.equal('E_PARSE');
    }
  });

  it('gives back every text, from short keys that repeat to long ones that do not', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { maxLength: 60 }), (texts) => {
        const all = [...texts, ...texts];
        const written = `[${all.map(jsonString).join(',')}]`;
        for (const source of [written, new TextEncoder().encode(written)]) {
          const read: string[] = [];
          const reader = jsonReader(source);
          reader.array(() => read.push(reader.string()));
          expect(read).to.deep.equal(all);
        }
      }),
      { seed: propertySeed(), numRuns: propertyRuns(300, 3_000, 100_000) },
    );
  });

  it('reads strings right across the windows it decodes by', () => {
    const names = Array.from({ length: 20_000 }, (_, i) =>
      i % 997 === 0 ? `é${i}` : i % 101 === 0 ? `a rather long name ${i}` : `t${i}`,
    );
    for (const space of [0, 1]) {
      expect(parseJson(new TextEncoder().encode(JSON.stringify(names, undefined, space)))).to.deep.equal(names);
    }
  });

  it('keeps names that other readers trip over as ordinary data (G3)', () => {
    const names = [
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      '',
      '\0',
      'x'.repeat(2 ** 20),
      '\ud800',
      'é',
      'e\u0301',
      '\u202eabc',
    ];
    const tree = parseJson(`{${names.map((name, i) => `${jsonString(name)}:${i}`).join(',')}}`) as Record<string, unknown>;
    expect(Object.getPrototypeOf(tree)).to.equal(null);
    expect(Object.keys(tree)).to.deep.equal(names);
    expect(names.map((name) => tree[name])).to.deep.equal(names.map((_, i) => i));
    const nested = parseJson('{"__proto__": {"polluted": true}}') as Record<string, unknown>;
    expect(Object.keys(nested)).to.deep.equal(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
  });
});
