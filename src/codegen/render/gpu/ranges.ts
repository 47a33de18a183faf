/**
 * @file Which values a kernel can hold as float32 without loss: dtypes, and how large its integers can become.
 *
 * int32 wraps and float32 does not, so integers are computed only where they provably stay small.
 */
import type { Monoid } from '../../../ops/op.js';
import type { Scalar } from '../../../ops/scalar.js';
import type { ComputedDType } from '../../../tensor/dtype.js';
import type { NestIR } from '../../ir.js';
import { isTruth, linearize, type Instruction } from '../../linear.js';
import { LARGEST_INTEGER, unable } from './limits.js';

/**
 * From the least to the greatest finite value; NaN bounds, which fail every comparison, where nothing is known. An infinity is
 * none of them: float32 holds it.
 */
interface Range {
  readonly low: number;
  readonly high: number;
}

const UNKNOWN: Range = { low: NaN, high: NaN };
const TRUTH: Range = { low: 0, high: 1 };
const isSmall = ({ low, high }: Range): boolean => low >= -LARGEST_INTEGER && high <= LARGEST_INTEGER;
const NONE: Range = { low: Infinity, high: -Infinity };
const either = (x: Range, y: Range): Range => ({ low: Math.min(x.low, y.low), high: Math.max(x.high, y.high) });
const over = (...values: readonly number[]): Range => ({ low: Math.min(...values), high: Math.max(...values) });

/** @throws EinstreamError E_CODEGEN where float32 cannot hold what the kernel computes */
export function requireFloat32(dtypes: readonly ComputedDType[]): void {
  if (dtypes.includes('float64'))
    throw unable('values that float32 cannot hold', 'kernels compute in float32', 'an operand or a result of float64');
}

/** @throws EinstreamError E_CODEGEN where an integer may be larger than float32 holds exactly */
export function requireSmallIntegers(ir: NestIR): void {
  const isInteger = ir.output.dtype === 'int32';
  const inner = ir.extents.slice(ir.outer).reduce((product, extent) => product * extent, 1);
  const dtypes = ir.inputs.map(({ dtype }) => dtype);
  const folds: Range[] = [];
  for (const { monoid, value } of ir.folds) {
    const range = rangeOf(value, ir.output.dtype, { inner, dtypes, folds });
    const folded = foldedRange(monoid, range, inner);
    if (isInteger && (monoid === 'sum' || monoid === 'prod') && !isSmall(folded)) throw tooLarge();
    folds.push(folded);
  }
  const result = rangeOf(ir.result, ir.output.dtype, { inner, dtypes, folds });
  if (isInteger && !isSmall(result)) throw tooLarge();
}

const tooLarge = (): Error =>
  unable('integers beyond 2^24', 'integers are float32 numbers and must stay within ±2^24', 'an int32 that may be larger');

function foldedRange(monoid: Monoid, { low, high }: Range, count: number): Range {
  if (monoid === 'sum') return over(low * count, high * count);
  if (monoid === 'prod') return low >= -1 && high <= 1 ? over(low, high, 1) : UNKNOWN;
  return { low, high };
}

interface Known {
  readonly inner: number;
  readonly dtypes: readonly ComputedDType[];
  readonly folds: readonly Range[];
}

function rangeOf(term: Scalar, dtype: ComputedDType, known: Known): Range {
  const ranges: Range[] = [];
  for (const instruction of linearize(term, dtype, known.inner)) ranges.push(rangeAfter(instruction, ranges, known));
  return ranges.at(-1)!;
}

function rangeAfter(i: Instruction, ranges: readonly Range[], { inner, dtypes, folds }: Known): Range {
  if (isTruth(i)) return TRUTH;
  switch (i.kind) {
    case 'constant':
      return Math.abs(i.value) === Infinity ? NONE : over(i.value);
    case 'operand':
      if (dtypes[i.index] === 'int32') throw tooLarge();
      return dtypes[i.index] === 'bool' ? TRUTH : UNKNOWN;
    case 'fold':
      return folds[i.index];
    case 'position':
      return { low: 0, high: inner - 1 };
    case 'select':
      return either(ranges[i.x], ranges[i.y]);
    case 'round':
      if (i.dtype === 'int32' && !isSmall(ranges[i.x])) throw tooLarge();
      return i.dtype === 'float64' ? notHeld() : ranges[i.x];
    case 'unary':
      return afterUnary(i.fn, ranges[i.x]);
    case 'binary':
      return combined(i.fn, ranges[i.x], ranges[i.y]);
  }
}

const notHeld = (): never => {
  throw unable('values that float32 cannot hold', 'kernels compute in float32', 'a step of float64');
};

const ROUNDING: ReadonlySet<string> = new Set(['floor', 'ceil', 'round', 'trunc']);

function afterUnary(fn: string, { low, high }: Range): Range {
  if (fn === 'neg') return over(-low, -high);
  if (fn === 'abs') return over(0, Math.abs(low), Math.abs(high));
  // Of what may be NaN, the sign may be.
  if (fn === 'sign' && low <= high) return { low: -1, high: 1 };
  return ROUNDING.has(fn) ? { low: Math.floor(low), high: Math.ceil(high) } : UNKNOWN;
}

function combined(fn: string, x: Range, y: Range): Range {
  switch (fn) {
    case 'add':
      return over(x.low + y.low, x.high + y.high);
    case 'sub':
      return over(x.low - y.high, x.high - y.low);
    case 'mul':
      return over(x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high);
    case 'min':
    case 'max':
      return either(x, y);
    default:
      return UNKNOWN;
  }
}
