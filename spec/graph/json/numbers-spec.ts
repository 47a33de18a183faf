import { expect } from 'chai';
import fc from 'fast-check';
import {
  jsonNumber,
  jsonNumbers,
  jsonReader,
  jsonString,
  parseJson,
  type NumbersOptions,
} from '../../../src/graph/json/index.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { caught } from './caught.js';

const numbers = (text: string, options?: NumbersOptions) => {
  const reader = jsonReader(text);
  const read = reader.numbers(options);
  reader.end();
  return { data: [...read.data], shape: read.shape, kind: read.kind };
};

type Nested = number | readonly Nested[];

const flat = (value: Nested): number[] => (typeof value === 'number' ? [value] : value.flatMap(flat));

/** The shape, or undefined where parts differ: by definition, without regard for speed. */
function shapeOf(value: Nested): readonly number[] | undefined {
  if (typeof value === 'number') return [];
  const inner = value.map(shapeOf);
  const isOne = inner.every(
    (shape) => shape !== undefined && String([shape.length, ...shape]) === String([inner[0]?.length, ...(inner[0] ?? [])]),
  );
  return isOne ? [value.length, ...(inner[0] ?? [])] : undefined;
}

describe('Arrays of numbers in JSON', () => {
  it('infers the shape, down to scalars and arrays without elements', () => {
    expect(numbers('7')).to.deep.equal({ data: [7], shape: [], kind: 'number' });
    expect(numbers('[[1, 2], [3, 4], [5, 6]]')).to.deep.equal({ data: [1, 2, 3, 4, 5, 6], shape: [3, 2], kind: 'number' });
    expect(numbers('[]')).to.deep.equal({ data: [], shape: [0], kind: 'number' });
    expect(numbers('[[], []]')).to.deep.equal({ data: [], shape: [2, 0], kind: 'number' });
    expect(numbers('[[[]], [[]]]')).to.deep.equal({ data: [], shape: [2, 1, 0], kind: 'number' });
    expect(numbers('[true, false]')).to.deep.equal({ data: [1, 0], shape: [2], kind: 'boolean' });
  });

  for (const text of [
    '[[1,2],[3]]',
    '[[1],[2,3]]',
    '[1,[2]]',
    '[[1],2]',
    '[[],1]',
    '[1,[]]',
    '[[],[[]]]',
    '[[[]],[]]',
    '[[],[1]]',
    '[[1],[]]',
    '[[[1],[2]],[[3]]]',
  ]) {
    it(`refuses the ragged ${text}`, () => {
      const error = caught(() => numbers(text));
      expect(error.code).to.equal('E_PARSE');
      expect(error.diagnostic.rule).to.equal('all arrays along one axis have one length');
    });
  }

  it('takes a nesting exactly where all its parts have one shape, however it is spaced', () => {
    const { nested } = fc.letrec<{ nested: Nested }>((tie) => ({
      nested: fc.oneof({ maxDepth: 3 }, fc.integer(), fc.array(tie('nested'), { maxLength: 2 })),
    }));
    const regular = fc
      .tuple(fc.nat(3), fc.nat(3), fc.nat(2))
      .map(([a, b, c]) =>
        Array.from({ length: a }, () => Array.from({ length: b }, () => Array.from({ length: c }, (_, i) => i - 1))),
      );
    fc.assert(
      fc.property(fc.oneof(nested, regular), fc.constantFrom('', ' ', '\n '), (value, space) => {
        const text = JSON.stringify(value).replaceAll(',', `,${space}`);
        const shape = shapeOf(value);
        if (shape === undefined) expect(caught(() => numbers(text)).code).to.equal('E_PARSE');
        else expect(numbers(text)).to.deep.equal({ data: flat(value), shape, kind: 'number' });
      }),
      { seed: propertySeed(), numRuns: propertyRuns(1_000, 10_000, 300_000) },
    );
  });

  it('points at the row that differs', () => {
    const error = caught(() => numbers('[[1,2],\n [3]]'));
    expect(error.diagnostic.location).to.deep.equal({ line: 2, column: 4 });
    expect(error.message).to.contain('expected 2 along axis 1, as before, got 1');
  });

  it('refuses what is no number, and numbers mixed with booleans', () => {
    for (const text of ['["1"]', '[null]', '[{}]', '[1,true]', '[true,1]', '[NaN]', '["NaN"]', '[1,"x"]', '[1,]', '[1', '']) {
      expect(caught(() => numbers(text)).code, text).to.equal('E_PARSE');
    }
  });

  it('takes NaN and the infinities as strings where asked to', () => {
    expect(numbers('["NaN", "Infinity", "-Infinity", -0]', { specials: 'strings' }).data).to.deep.equal([
      NaN,
      Infinity,
      -Infinity,
      -0,
    ]);
    expect(numbers('"NaN"', { specials: 'strings' })).to.deep.equal({ data: [NaN], shape: [], kind: 'number' });
    for (const text of ['["nan"]', '["1"]', '[true, "NaN"]']) {
      expect(caught(() => numbers(text, { specials: 'strings' })).code, text).to.equal('E_PARSE');
    }
  });

  it('reads inside other values, as a feed by name needs it', () => {
    const reader = jsonReader('{"x": [[1],[2]], "w": 3}');
    const shapes: unknown[] = [];
    reader.object((name) => shapes.push([name, reader.numbers().shape]));
    reader.end();
    expect(shapes).to.deep.equal([
      ['x', [2, 1]],
      ['w', []],
    ]);
  });

  it('reads back any tensor that jsonNumbers wrote, to the bit', () => {
    const shaped = fc.array(fc.nat(4), { maxLength: 4 }).chain((shape) => {
      const size = shape.reduce((product, n) => product * n, 1);
      return fc.tuple(fc.constant(shape), fc.array(fc.double(), { minLength: size, maxLength: size }));
    });
    fc.assert(
      fc.property(shaped, ([shape, data]) => {
        const read = numbers(jsonNumbers(data, shape), { specials: 'strings' });
        expect(read.data).to.deep.equal(data);
        // An axis behind an empty one leaves no trace in the text.
        const empty = shape.indexOf(0);
        expect(read.shape).to.deep.equal(empty < 0 ? shape : shape.slice(0, empty + 1));
      }),
      { seed: propertySeed(), numRuns: propertyRuns(300, 3_000, 100_000) },
    );
  });
});

describe('The JSON writer', () => {
  it('writes numbers that read back the same, and strings for those that JSON lacks', () => {
    expect([0, -0, 1e21, 1e-7, 0.1, NaN, Infinity, -Infinity].map(jsonNumber)).to.deep.equal([
      '0',
      '-0',
      '1e+21',
      '1e-7',
      '0.1',
      '"NaN"',
      '"Infinity"',
      '"-Infinity"',
    ]);
  });

  it('writes any text as well-formed JSON, halves of surrogate pairs escaped', () => {
    expect(jsonString('a"\\\n\ud800\u2028😀')).to.equal('"a\\"\\\\\\n\\ud800\u2028😀"');
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
        (text) => {
          expect(parseJson(jsonString(text))).to.equal(text);
          expect(new TextDecoder().decode(new TextEncoder().encode(jsonString(text)))).to.equal(jsonString(text));
        },
      ),
      { seed: propertySeed(), numRuns: propertyRuns(300, 3_000, 100_000) },
    );
  });
});
