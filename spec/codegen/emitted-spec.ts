import { expect } from 'chai';
import fc from 'fast-check';
import { literal } from '../../src/codegen/emitted.js';
import { EinstreamError, add, clip, elu, evaluateSync, graph, input, js, pad, type GraphSymbol } from '../../src/index.js';
import { propertyRuns, propertySeed } from '../support/property.js';

const readBack = (text: string): number => new Function(`return ${text}`)() as number;
const NO_NUMBERS: readonly unknown[] = [
  '1',
  '',
  "'+globalThis.PWN+'",
  null,
  undefined,
  true,
  5n,
  2n ** 70n,
  {},
  [],
  [1],
  Symbol('s'),
  () => 1,
  new Number(1),
  { valueOf: () => 1, toString: () => 'globalThis.PWN = 4' },
  { toJSON: () => 1 },
];

describe('a number in generated source (J3)', () => {
  it('reads back as the same number, wherever it stands', () => {
    const numbers = fc.oneof(
      fc.double(),
      fc.integer(),
      fc.constantFrom(-0, NaN, Infinity, -Infinity, 1e21, -1e-7, 5e-324, 2 ** 53),
    );
    fc.assert(
      fc.property(numbers, (value) => {
        const text = literal(value);
        expect(Object.is(readBack(text), value), text).to.equal(true);
        // After a sign, before a dot and between operators it is still one number.
        expect(Object.is(readBack(`- ${text}`), -value), text).to.equal(true);
        expect(Object.is(readBack(`1 -${text}`), 1 - value), text).to.equal(true);
        expect(text).to.match(/^(NaN|\(?-?Infinity\)?|\(?-?[\d.]+(e[+-]\d+)?\)?)$/);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(500, 20_000, 200_000) },
    );
  });

  it('is never made of a string, an object, a bigint or anything else', () => {
    for (const value of NO_NUMBERS) {
      expect(() => literal(value as number))
        .to.throw(EinstreamError)
        .with.property('code', 'E_CODEGEN');
    }
  });
});

describe('a constant of an op (J3)', () => {
  const rules: Readonly<Record<string, (x: GraphSymbol, value: number) => GraphSymbol>> = {
    'clip min': (x, value) => clip(x, { min: value }),
    'elu alpha': (x, value) => elu(x, { alpha: value }),
    'pad value': (x, value) => pad(x, { pads: [[1, 0]], value }),
  };

  for (const [name, rule] of Object.entries(rules)) {
    it(`${name} is a number or refused`, () => {
      for (const value of NO_NUMBERS) {
        if (value === undefined || (value === null && name === 'clip min')) continue; // the parameter left out
        expect(() => graph({ x: input([2]) }, ({ x }) => ({ y: rule(x, value as number) })), String(typeof value))
          .to.throw(EinstreamError)
          .with.property('code', 'E_ARGUMENT');
      }
    });

    it(`${name} may be huge, −0, NaN and infinite`, () => {
      for (const value of [1.7e308, -1e300, -0, NaN, Infinity, -Infinity]) {
        const made = graph({ x: input([2], { dtype: 'float64' }) }, ({ x }) => ({ y: rule(x, value) }));
        const [a, b] = (['generate', 'interpret'] as const).map((kernels) =>
          [...evaluateSync(made, { x: [-1, 2] }, { backend: js({ kernels }) }).y.data].map(Number),
        );
        expect(a).to.deep.equal(b);
        if (name === 'pad value') expect(Object.is(a[0], value)).to.equal(true);
      }
    });
  }

  it('as an operand is a tensor, a symbol or a number', () => {
    for (const value of NO_NUMBERS) {
      if (value === undefined) continue;
      expect(() => graph({ x: input([2]) }, ({ x }) => ({ y: add(x, value as number) }))).to.throw(EinstreamError);
    }
  });
});
