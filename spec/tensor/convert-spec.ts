import { expect } from 'chai';
import fc from 'fast-check';
import { arrayOf, convert, type DType, type TypedArray } from '../../src/tensor/index.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { expectRefusal } from './refusals.js';

const converted = (values: readonly number[], from: DType, to: DType) => [
  ...(convert(Float64Array.from(values), from, to) as Float64Array),
];
const RANGES = { int2: [-2, 1], int4: [-8, 7], uint4: [0, 15], int8: [-128, 127], uint8: [0, 255], int16: [-32768, 32767], uint16: [0, 65535], int32: [-2147483648, 2147483647], uint32: [0, 4294967295] } as const; // prettier-ignore

describe('convert', () => {
  for (const [dtype, [low, high]] of Object.entries(RANGES) as [DType, readonly [number, number]][]) {
    it(`to ${dtype} cuts towards 0, takes the nearest end of ${low} … ${high}, and makes NaN 0 (N4)`, () => {
      expect(
        converted(
          [NaN, Infinity, -Infinity, 1e300, -1e300, high, high + 0.5, high + 1, low, low - 0.5, low - 1],
          'float64',
          dtype,
        ),
      ).to.deep.equal([0, high, low, high, low, high, high, high, low, low, low]);
      expect(converted([0.99, -0.99, -0, 5e-324], 'float64', dtype)).to.deep.equal([0, 0, 0, 0]);
      expect(converted([high - 0.5, low + 0.5], 'float64', dtype)).to.deep.equal([high - 1, low === 0 ? 0 : low + 1]);
    });

    it(`to ${dtype} agrees with exact arithmetic on every number (N4)`, () => {
      fc.assert(
        fc.property(fc.double(), (value) => {
          const exact = Number.isNaN(value) ? 0 : Math.max(low, Math.min(high, Math.trunc(value)));
          expect(converted([value], 'float64', dtype)[0]).to.equal(exact + 0);
        }),
        { seed: propertySeed(), numRuns: propertyRuns(200, 1_000, 10_000) },
      );
    });
  }

  it('to int64 saturates at 2^63, where float64 has no neighbours (N4)', () => {
    const result = convert(Float64Array.of(NaN, Infinity, -Infinity, 2 ** 63, -(2 ** 63), 2 ** 62, -1.9, -0), 'float64', 'int64');
    expect([...(result as BigInt64Array)]).to.deep.equal([
      0n,
      2n ** 63n - 1n,
      -(2n ** 63n),
      2n ** 63n - 1n,
      -(2n ** 63n),
      2n ** 62n,
      -1n,
      0n,
    ]);
  });

  it('from int64 saturates in integers and rounds in floats', () => {
    const big = BigInt64Array.of(2n ** 53n + 1n, -(2n ** 63n), 7n, 0n);
    expect([...(convert(big, 'int64', 'int32') as Int32Array)]).to.deep.equal([2147483647, -2147483648, 7, 0]);
    expect([...(convert(big, 'int64', 'float64') as Float64Array)]).to.deep.equal([2 ** 53, -(2 ** 63), 7, 0]);
    expect([...(convert(big, 'int64', 'float32') as Float32Array)]).to.deep.equal([2 ** 53, -(2 ** 63), 7, 0]);
    expect([...(convert(big, 'int64', 'bool') as Uint8Array)]).to.deep.equal([1, 1, 1, 0]);
  });

  it('to bool is false for 0 and −0 alone; NaN is true (NumPy)', () => {
    expect(converted([0, -0, NaN, 0.1, -1, Infinity, 5e-324], 'float64', 'bool')).to.deep.equal([0, 0, 1, 1, 1, 1, 1]);
  });

  it('to float32 rounds to nearest, ties to even, and keeps NaN, infinities and −0', () => {
    expect(converted([0.1, 1e300, -1e300, NaN, 16777217, 16777219], 'float64', 'float32')).to.deep.equal([
      Math.fround(0.1),
      Infinity,
      -Infinity,
      NaN,
      16777216,
      16777220,
    ]);
    expect(Object.is(converted([-0], 'float64', 'float32')[0], -0)).to.equal(true);
  });

  it('between bool, int32, float32 and float64 and back gives the same where the type is wider', () => {
    const chain: DType[] = ['bool', 'int32', 'float64'];
    const source = Uint8Array.of(0, 1, 1);
    for (const dtype of chain)
      expect([...(convert(convert(source, 'bool', dtype), dtype, 'bool') as Uint8Array)]).to.deep.equal([0, 1, 1]);
    const ints = Int32Array.of(-2147483648, 2147483647, 0, -1);
    expect([...(convert(convert(ints, 'int32', 'float64'), 'float64', 'int32') as Int32Array)]).to.deep.equal([...ints]);
  });

  it('gives a new array of the right type, also for the same dtype', () => {
    const source: TypedArray = Float32Array.of(1);
    const copy = convert(source, 'float32', 'float32');
    expect(copy).to.not.equal(source);
    expect(copy).to.deep.equal(source);
    for (const to of ['bool', 'int4', 'uint32', 'int64', 'float64'] as const)
      expect(convert(source, 'float32', to)).to.be.instanceOf(arrayOf(to));
    expect(convert(Uint16Array.of(7), 'float16', 'float16')).to.deep.equal(Uint16Array.of(7));
  });

  it('refuses codes: float16, bfloat16 and float8 hold them', () => {
    for (const dtype of ['float16', 'bfloat16', 'float8_e4m3fn', 'float8_e5m2'] as const) {
      expectRefusal(() => convert(Float32Array.of(1), 'float32', dtype), 'E_DTYPE', new RegExp(`elements of ${dtype} are codes`));
      expectRefusal(() => convert(Uint8Array.of(1), dtype, 'float32'), 'E_DTYPE', new RegExp(`elements of ${dtype} are codes`));
      expectRefusal(() => convert(Uint8Array.of(1), 'bool', dtype), 'E_DTYPE');
    }
  });
});
