import { expect } from 'chai';
import { binaryF32 } from '../../../../src/codegen/render/wasm/math/binary-f32.js';
import { maxConstant, minConstant } from '../../../../src/codegen/render/wasm/math/extremes.js';
import { decayF32, unaryF32 } from '../../../../src/codegen/render/wasm/math/unary-f32.js';
import { SCALAR_FUNCTIONS } from '../../../../src/ops/math.js';
import { BINARY_FUNCTIONS, UNARY_FUNCTIONS, type BinaryFunction, type UnaryFunction } from '../../../../src/ops/scalar.js';
import { propertyRuns, propertySeed } from '../../../support/property.js';
import { HAS_RELAXED, PLAIN } from '../../../support/runWasm.js';
import { allExponents, everyFloat, ulpError } from '../../../support/ulp.js';
import { BLOCK, vectorFunction } from '../../../support/vectorFunction.js';

/** ULP that each function's docstring states; the others are exact. */
const UNARY: Partial<Record<UnaryFunction, number>> = {
  cbrt: 1.5,
  exp: 2,
  exp2: 1.5,
  expm1: 2,
  log: 1,
  log2: 2.5,
  log10: 2.5,
  log1p: 1.5,
  sin: 3,
  cos: 3,
  tan: 3.5,
  asin: 2.5,
  acos: 2,
  atan: 2,
  sinh: 3,
  cosh: 2.5,
  tanh: 3,
  asinh: 3,
  acosh: 3,
  atanh: 3,
  erf: 1.5,
  erfc: 5,
};
const BINARY: Partial<Record<BinaryFunction, number>> = { pow: 0.6, hypot: 0.6, atan2: 3 };

/** Where the functions bend, saturate, overflow or vanish. */
const EDGES = Float32Array.from(
  [0, 1e-45, 2 ** -126, 2 ** -24, 0.25, 0.5, 0.92773, 1, Math.SQRT2, Math.PI / 2, 2, Math.E, 4, 9.02, 10.0546, 88.7228, 89.4159]
    .concat([103.9721, 127, 128, 149, 12800, 2 ** 23, 2 ** 24, 2 ** 30, 3.4028234663852886e38, Infinity, NaN])
    .flatMap((x) => [x, -x]),
);

/** Values near zero and of ordinary size, which few of all exponents are. */
const ordinary = (seed: number): Float32Array => {
  const angles = allExponents(128, seed);
  return angles.map((x, k) =>
    Math.fround(((k % 1000) / 1000 - 0.5) * [2, 8, 40, 220][k & 3] * (1 + (Math.abs(x) % 1 || 0) / 1000)),
  );
};

/** The same values in another order, the same for each run. */
const shuffled = (x: Float32Array): Float32Array => x.map((_, k) => x[(Math.imul(k, 2654435761) >>> 0) % x.length]);

interface Worst {
  error: number;
  at: string;
}

function measure(worst: Worst, got: Float32Array, exact: (k: number) => number, named: (k: number) => string): void {
  for (let k = 0; k < got.length; k++) {
    const error = ulpError(got[k], exact(k));
    if (error > worst.error) Object.assign(worst, { error, at: `${named(k)} gave ${got[k]} for ${exact(k)}` });
  }
}

/** Slices of at most `BLOCK`, padded to whole vectors by repeating the first element. */
function* blocks(x: Float32Array): Generator<Float32Array> {
  for (let from = 0; from < x.length; from += BLOCK) {
    const part = x.subarray(from, from + BLOCK);
    yield Float32Array.from({ length: Math.ceil(part.length / 4) * 4 }, (_, k) => part[k < part.length ? k : 0]);
  }
}

for (const target of [PLAIN, ...(HAS_RELAXED ? [{ ...PLAIN, isRelaxed: true }] : [])])
  describe(`Float32 functions in SIMD, ${target.isRelaxed ? 'relaxed' : 'plain'}`, () => {
    for (const fn of UNARY_FUNCTIONS)
      it(`${fn} is within ${UNARY[fn] ?? 0} ULP of float64 over the whole range (N1, N6)`, () => {
        const exact = SCALAR_FUNCTIONS.unary[fn];
        const apply = vectorFunction<Float32Array>(1, target, (scope, [x], t) => unaryF32[fn](scope, x, t));
        const worst: Worst = { error: 0, at: '' };
        const seed = propertySeed();
        const check = (x: Float32Array): void =>
          measure(
            worst,
            apply(x),
            (k) => exact(x[k]),
            (k) => String(x[k]),
          );
        for (const values of [EDGES, allExponents(64, seed), ordinary(seed)]) for (const x of blocks(values)) check(x);
        // All 2³² of them in a soak.
        for (const x of everyFloat(propertyRuns(262139, 8191, 1), BLOCK)) check(x);
        expect(worst.error, worst.at).to.be.at.most(UNARY[fn] ?? 0);
      });

    it('exp of what is added to a 1 is within 3 ULP of float64 down to the smallest normal number, and 0 below (N1, N6)', () => {
      const apply = vectorFunction<Float32Array>(1, target, (scope, [x], t) => decayF32(scope, x, t));
      const worst: Worst = { error: 0, at: '' };
      const seed = propertySeed();
      const exact = (x: number): number => (x < -87.3 && x > -88 ? NaN : x <= -88 ? 0 : Math.exp(x));
      for (const values of [EDGES, allExponents(64, seed), ordinary(seed)])
        for (const x of blocks(values.map((each) => -Math.abs(each)))) {
          const got = apply(x).map((y, k) => (x[k] < -87.3 && x[k] > -88 ? (y >= 0 && y < 1.3e-38 ? NaN : Infinity) : y));
          measure(
            worst,
            got,
            (k) => exact(x[k]),
            (k) => String(x[k]),
          );
        }
      expect(worst.error, worst.at).to.be.at.most(3);
    });

    for (const fn of BINARY_FUNCTIONS)
      it(`${fn} is within ${BINARY[fn] ?? 0} ULP of float64 for every exponent and every pair of edges (N1, N6)`, () => {
        const exact = SCALAR_FUNCTIONS.binary[fn];
        const apply = vectorFunction<Float32Array>(2, target, (scope, [x, y], t) => binaryF32[fn](scope, x, y, t));
        const seed = propertySeed();
        const all = allExponents(propertyRuns(48, 1024, 1 << 14), seed);
        const near = ordinary(seed);
        const crossed = Array.from({ length: EDGES.length ** 2 }, (_, k) => k);
        const pairs: readonly (readonly [Float32Array, Float32Array])[] = [
          [
            Float32Array.from(crossed, (k) => EDGES[k % EDGES.length]),
            Float32Array.from(crossed, (k) => EDGES[Math.floor(k / EDGES.length)]),
          ],
          [all, shuffled(all)],
          [near, shuffled(near)],
          // Equal signs and exponents: quotients near 1, powers and angles of ordinary size.
          [all, all.map((x, k) => x * (1 + ((k % 97) - 48) / 512))],
          [near.map(Math.abs), shuffled(near)],
        ];
        const worst: Worst = { error: 0, at: '' };
        for (const [left, right] of pairs) {
          const rights = blocks(right);
          for (const x of blocks(left)) {
            const y = rights.next().value as Float32Array;
            measure(
              worst,
              apply(x, y),
              (k) => exact(x[k], y[k]),
              (k) => `${x[k]}, ${y[k]}`,
            );
          }
        }
        expect(worst.error, worst.at).to.be.at.most(BINARY[fn] ?? 0);
      });
  });

describe('The extremes of float32 vectors and a constant', () => {
  for (const value of [0, -0, 1, -1.5, Infinity, -Infinity, NaN])
    it(`are those of Math.max and Math.min for ${Object.is(value, -0) ? '-0' : value}, zeros and NaN included (N1)`, () => {
      const x = allExponents(4, 1);
      const max = vectorFunction<Float32Array>(1, PLAIN, (scope, [v]) => maxConstant(scope, v, value))(x);
      const min = vectorFunction<Float32Array>(1, PLAIN, (scope, [v]) => minConstant(scope, v, value))(x);
      const edges = Float32Array.of(0, -0, NaN, Infinity, -Infinity, 1, -1, 2);
      const maxEdge = vectorFunction<Float32Array>(1, PLAIN, (scope, [v]) => maxConstant(scope, v, value))(edges);
      const minEdge = vectorFunction<Float32Array>(1, PLAIN, (scope, [v]) => minConstant(scope, v, value))(edges);
      expect([...max, ...maxEdge]).to.deep.equal([...x, ...edges].map((v) => Math.max(v, value)));
      expect([...min, ...minEdge]).to.deep.equal([...x, ...edges].map((v) => Math.min(v, value)));
    });
});
