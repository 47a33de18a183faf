import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import '../../src/ops/index.js';
import { INTEGER_FUNCTIONS, SCALAR_FUNCTIONS } from '../../src/ops/math.js';
import { ops } from '../../src/ops/registry.js';
import { BINARY_FUNCTIONS, UNARY_FUNCTIONS } from '../../src/ops/scalar.js';
import { tensorOver, type Tensor } from '../../src/tensor/tensor.js';
import { decode, type CaseNumber } from '../oracle/corpus.js';
import { propertyRuns, propertySeed } from '../support/property.js';

type Row = readonly CaseNumber[];
interface Specials {
  readonly specials: Row;
  readonly unary: Readonly<Record<string, Row>>;
  readonly binary: Readonly<Record<string, readonly Row[]>>;
  readonly ops: { readonly unary: Readonly<Record<string, Row>>; readonly binary: Readonly<Record<string, readonly Row[]>> };
  readonly erf: readonly (readonly [x: number, erf: number, erfc: number])[];
}
const golden = JSON.parse(readFileSync(new URL('./specials.json', import.meta.url), 'utf8')) as Specials;
const specials = golden.specials.map(decode);

/** NaN is NaN, infinities and zeros are themselves with their sign, other numbers agree to a few units in the last place. */
function agrees(got: number, want: number, relative: number): boolean {
  if (Number.isNaN(want) || !Number.isFinite(want) || want === 0) return Object.is(got, want);
  return Math.abs(got - want) <= Math.max(relative * Math.abs(want), Number.MIN_VALUE);
}

/** Functions where NumPy leaves the sign of a zero to the processor; ours is fixed by the next suite. */
const UNSIGNED = new Set(['sign', 'min', 'max', 'squaredDifference']);

function expectCells(name: string, got: readonly number[], want: Row, label: (i: number) => string): void {
  got.forEach((value, i) => {
    const expected = decode(want[i]);
    const same = agrees(value, expected, 2e-15) || (UNSIGNED.has(name) && value === 0 && expected === 0);
    expect(same, `${name}(${label(i)}) should be ${want[i]}, is ${Object.is(value, -0) ? '-0' : value}`).to.equal(true);
  });
}

const show = (x: number): string => (Object.is(x, -0) ? '-0' : String(x));
const doubles = (values: readonly number[]): Tensor => tensorOver(Float64Array.from(values), 'float64', [values.length]);
const call = (name: string, ...inputs: readonly Tensor[]): readonly number[] =>
  Array.from((ops[name](...inputs) as Tensor).data as Float64Array);

describe('scalar functions (N1)', () => {
  for (const fn of UNARY_FUNCTIONS) {
    it(`${fn} agrees with mpmath and NumPy on the twelve specials`, () => {
      expectCells(fn, specials.map(SCALAR_FUNCTIONS.unary[fn]), golden.unary[fn], (i) => show(specials[i]));
    });
  }

  for (const fn of BINARY_FUNCTIONS) {
    it(`${fn} agrees with NumPy on all 144 pairs of specials`, () => {
      specials.forEach((x, row) => {
        expectCells(
          fn,
          specials.map((y) => SCALAR_FUNCTIONS.binary[fn](x, y)),
          golden.binary[fn][row],
          (i) => `${show(x)}, ${show(specials[i])}`,
        );
      });
    });
  }

  for (const [name, want] of Object.entries(golden.ops.unary)) {
    it(`the op ${name} is right on the twelve specials`, () => {
      expectCells(name, call(name, doubles(specials)), want, (i) => show(specials[i]));
    });
  }

  for (const [name, rows] of Object.entries(golden.ops.binary)) {
    it(`the op ${name} is right on all 144 pairs of specials`, () => {
      specials.forEach((x, row) => {
        expectCells(
          name,
          call(name, doubles(specials.map(() => x)), doubles(specials)),
          rows[row],
          (i) => `${show(x)}, ${show(specials[i])}`,
        );
      });
    });
  }

  it('erf and erfc are right to 1e-15 on all their intervals', () => {
    for (const [x, erf, erfc] of golden.erf) {
      expect(agrees(SCALAR_FUNCTIONS.unary.erf(x), erf, 1e-15), `erf(${x})`).to.equal(true);
      expect(agrees(SCALAR_FUNCTIONS.unary.erfc(x), erfc, 1e-15), `erfc(${x})`).to.equal(true);
    }
  });
});

describe('signs of zero', () => {
  const { max, min } = SCALAR_FUNCTIONS.binary;
  it('-0 is below 0 for max and min, in either order', () => {
    for (const [x, y] of [
      [0, -0],
      [-0, 0],
    ] as const) {
      expect(Object.is(max(x, y), 0)).to.equal(true);
      expect(Object.is(min(x, y), -0)).to.equal(true);
    }
  });
  it('sign keeps the sign of a zero', () => expect(Object.is(SCALAR_FUNCTIONS.unary.sign(-0), -0)).to.equal(true));
});

describe('laws of scalar functions', () => {
  const runs = { seed: propertySeed(), numRuns: propertyRuns(500, 5_000, 100_000) };
  const { mod, fmod, pow } = SCALAR_FUNCTIONS.binary;
  const whole = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

  it('round is the even one of the two nearest integers', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), fc.constantFrom(0, 0.25, 0.5, 0.75), (n, part) => {
        const want = part < 0.5 ? n : part > 0.5 ? n + 1 : n % 2 === 0 ? n : n + 1;
        expect(SCALAR_FUNCTIONS.unary.round(n + part) + 0).to.equal(want + 0);
      }),
      runs,
    );
  });

  it('mod has the sign of the divisor, fmod that of the dividend, and both leave a multiple', () => {
    fc.assert(
      fc.property(
        whole,
        whole.filter((y) => y !== 0),
        (x, y) => {
          expect(mod(x, y) === 0 || mod(x, y) < 0 === y < 0).to.equal(true);
          expect(Object.is(Math.sign(fmod(x, y)), Math.sign(x)) || fmod(x, y) === 0).to.equal(true);
          for (const rest of [mod(x, y), fmod(x, y)]) {
            expect(Math.abs(rest)).to.be.below(Math.abs(y));
            expect((BigInt(x) - BigInt(rest)) % BigInt(y)).to.equal(0n);
          }
        },
      ),
      runs,
    );
  });

  it('products and powers of int32 are exact modulo 2³² (N3)', () => {
    fc.assert(
      fc.property(whole, whole, fc.nat(70), (x, y, n) => {
        expect(INTEGER_FUNCTIONS.binary.mul(x, y)).to.equal(Number(BigInt.asIntN(32, BigInt(x) * BigInt(y))));
        expect(INTEGER_FUNCTIONS.binary.pow(x, n)).to.equal(Number(BigInt.asIntN(32, BigInt(x) ** BigInt(n))));
      }),
      runs,
    );
  });

  it('pow is 1 for a base of 1 and for an exponent of 0, whatever the other is', () => {
    fc.assert(
      fc.property(fc.double(), (x) => {
        expect(pow(1, x)).to.equal(1);
        expect(pow(x, 0)).to.equal(1);
      }),
      runs,
    );
  });

  it('erf is odd, and erfc(x) + erfc(−x) is 2', () => {
    const { erf, erfc } = SCALAR_FUNCTIONS.unary;
    fc.assert(
      fc.property(fc.double({ min: -30, max: 30, noNaN: true }), (x) => {
        expect(erf(-x)).to.equal(-erf(x));
        expect(erfc(x) + erfc(-x)).to.be.closeTo(2, 1e-15);
        expect(erf(x) + erfc(x)).to.be.closeTo(1, 1e-15);
      }),
      runs,
    );
  });
});
