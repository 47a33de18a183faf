import { expect } from 'chai';
import { NATIVE_BINARY, NATIVE_UNARY } from '../../../../src/codegen/render/wasm/natives.js';
import { INTEGER_FUNCTIONS, SCALAR_FUNCTIONS } from '../../../../src/ops/math.js';
import type { BinaryFunction, UnaryFunction } from '../../../../src/ops/scalar.js';
import { PLAIN } from '../../../support/runWasm.js';
import { vectorFunction } from '../../../support/vectorFunction.js';

const WHOLE = [0, 1, -1, 2, -3, 7, 100, -100, 65536, -65537, 0x12345678, 2 ** 30, 0x7fffffff, -0x7fffffff, -0x80000000, 12];
const REAL = [
  0,
  0.5,
  1,
  1.5,
  2.5,
  3,
  1e-310,
  2 ** -1022,
  1e-20,
  4503599627370495.5,
  2 ** 53,
  1e300,
  1.7976931348623157e308,
  Infinity,
  NaN,
  7.25,
].flatMap((x) => [x, -x]);

/** Every value beside every other. */
const crossed = <T extends Int32Array | Float64Array>(
  type: { from(values: readonly number[]): T },
  values: readonly number[],
): readonly [T, T] => [type.from(values.flatMap(() => values)), type.from(values.flatMap((x) => values.map(() => x)))];

const [intLeft, intRight] = crossed<Int32Array>(Int32Array, WHOLE);
const [left, right] = crossed<Float64Array>(Float64Array, REAL);
const entries = <F extends string, C>(table: Partial<Record<F, C>>) => Object.entries(table) as [F, C][];

describe('Functions of int32 and float64 vectors', () => {
  for (const [fn, code] of entries<UnaryFunction, NonNullable<(typeof NATIVE_UNARY.i32)[UnaryFunction]>>(NATIVE_UNARY.i32))
    it(`give ${fn} of int32 modulo 2³² (N3)`, () => {
      const x = Int32Array.from(WHOLE);
      const got = vectorFunction<Int32Array>(1, PLAIN, (scope, [v]) => code(scope, v))(x);
      expect(got).to.deep.equal(x.map((v) => INTEGER_FUNCTIONS.unary[fn](v)));
    });

  for (const [fn, code] of entries<BinaryFunction, NonNullable<(typeof NATIVE_BINARY.i32)[BinaryFunction]>>(NATIVE_BINARY.i32))
    it(`give ${fn} of int32 modulo 2³² (N3)`, () => {
      const got = vectorFunction<Int32Array>(2, PLAIN, (scope, [x, y]) => code(scope, x, y))(intLeft, intRight);
      expect(got).to.deep.equal(intLeft.map((x, k) => INTEGER_FUNCTIONS.binary[fn](x, intRight[k])));
    });

  for (const [fn, code] of entries<UnaryFunction, NonNullable<(typeof NATIVE_UNARY.f64)[UnaryFunction]>>(NATIVE_UNARY.f64))
    it(`give the bits of ${fn} of float64 (N1, N6)`, () => {
      const x = Float64Array.from(REAL);
      const got = vectorFunction<Float64Array>(1, PLAIN, (scope, [v]) => code(scope, v))(x);
      expect([...got]).to.deep.equal([...x].map((v) => SCALAR_FUNCTIONS.unary[fn](v)));
    });

  for (const [fn, code] of entries<BinaryFunction, NonNullable<(typeof NATIVE_BINARY.f64)[BinaryFunction]>>(NATIVE_BINARY.f64))
    it(`give the bits of ${fn} of float64 (N1, N6)`, () => {
      const got = vectorFunction<Float64Array>(2, PLAIN, (scope, [x, y]) => code(scope, x, y))(left, right);
      expect([...got]).to.deep.equal([...left].map((x, k) => SCALAR_FUNCTIONS.binary[fn](x, right[k])));
    });
});
