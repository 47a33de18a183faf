/**
 * @file Elements from one dtype to another: the one table of what a number becomes.
 *
 * | to | from a float | from an integer | from bool |
 * |-|-|-|-|
 * | float32, float64 | rounded to nearest, ties to even | rounded to nearest | 0 or 1 |
 * | integers | towards 0; NaN is 0; out of range is the nearest end | out of range is the nearest end | 0 or 1 |
 * | bool | 0 and −0 are false, all else, NaN too, is true | nonzero is true | itself |
 */
import { fault } from '../errors/index.js';
import type { DType, TypedArray } from './dtype.js';
import { allocateArray } from './tensor.js';

const RANGES: Partial<Record<DType, readonly [low: number, high: number]>> = {
  int2: [-2, 1],
  int4: [-8, 7],
  uint4: [0, 15],
  int8: [-128, 127],
  uint8: [0, 255],
  int16: [-32768, 32767],
  uint16: [0, 65535],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
};

const [LOW_64, HIGH_64] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Elements that are codes of numbers, not the numbers. */
export const isCoded = (dtype: DType): boolean => dtype === 'float16' || dtype === 'bfloat16' || dtype.startsWith('float8');

/**
 * How a number or bigint is stored as an element of `dtype`.
 *
 * @throws EinstreamError E_DTYPE for float16, bfloat16 and float8, which hold codes
 */
export function encoderOf(dtype: DType): (value: number | bigint) => number | bigint {
  if (isCoded(dtype)) throw coded(dtype);
  if (dtype === 'bool') return (value) => (Number(value) === 0 ? 0 : 1);
  if (dtype === 'int64') return toInt64;
  const range = RANGES[dtype];
  if (range === undefined) return Number; // the float array rounds
  const [low, high] = range;
  return (value) => {
    if (Number.isNaN(value)) return 0;
    return value <= low ? low : value >= high ? high : Math.trunc(Number(value)) + 0;
  };
}

function toInt64(value: number | bigint): bigint {
  if (typeof value === 'number') {
    if (Number.isNaN(value)) return 0n;
    if (value >= 2 ** 63) return HIGH_64;
    return value <= -(2 ** 63) ? LOW_64 : BigInt(Math.trunc(value));
  }
  return value < LOW_64 ? LOW_64 : value > HIGH_64 ? HIGH_64 : value;
}

/**
 * The elements as another dtype, in a new array, by the table above. The same everywhere: backends follow it.
 *
 * @param array elements of `from`
 * @throws EinstreamError E_DTYPE when one of the two is float16, bfloat16 or float8 and they differ; E_OOM
 */
export function convert(array: TypedArray, from: DType, to: DType): TypedArray {
  const result = allocateArray(array.length, to);
  const target = result as Float64Array;
  const source = array as Float64Array;
  if (from === to) target.set(source);
  else if (isCoded(from)) throw coded(from);
  else if ((to === 'float32' || to === 'float64') && from !== 'int64') target.set(source);
  else {
    const encode = encoderOf(to) as (value: number) => number;
    for (let i = 0; i < source.length; i++) target[i] = encode(source[i]);
  }
  return result;
}

const coded = (dtype: DType) =>
  fault('E_DTYPE', {
    place: 'convert',
    rule: `elements of ${dtype} are codes, so a plain conversion cannot make or read them`,
    hint: `quantize to ${dtype}, dequantize from it`,
  });
