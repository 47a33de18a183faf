/**
 * @file Tensors made by a rule: zeros, ones, full, arange, eye.
 */
import { describeValue, fault } from '../errors/index.js';
import { fill, readOptions } from './accept.js';
import type { DType } from './dtype.js';
import type { Element } from './nested.js';
import { readShape } from './shape.js';
import { allocateTensor, type Tensor } from './tensor.js';

/** The dtype of a new tensor. */
export interface DTypeOptions {
  readonly dtype?: DType;
}

/**
 * A tensor of zeros, float32 by default.
 *
 * ```ts
 * zeros([2, 2]).toArray() // => [[0, 0], [0, 0]]
 * ```
 *
 * @throws EinstreamError E_SHAPE for a size that is no integer ≥ 0, E_LIMIT for too many elements, E_DTYPE, E_OOM
 */
export function zeros(shape: readonly number[], options: DTypeOptions = {}): Tensor {
  const { dtype = 'float32' } = readOptions(options, 'zeros');
  return allocateTensor(readShape(shape, 'zeros shape'), dtype);
}

/**
 * A tensor of ones, float32 by default.
 *
 * ```ts
 * ones([3], { dtype: 'int32' }).toArray() // => [1, 1, 1]
 * ```
 *
 * @throws EinstreamError as `zeros`
 */
export const ones = (shape: readonly number[], options: DTypeOptions = {}): Tensor =>
  filled(shape, () => 1, readOptions(options, 'ones').dtype ?? 'float32', 'ones');

/**
 * One value everywhere. The dtype is that of the value: float32, bool for a boolean, int64 for a bigint.
 *
 * ```ts
 * full([2], 0.5).toArray() // => [0.5, 0.5]
 * full([], true).toArray() // => true
 * ```
 *
 * @throws EinstreamError as `zeros`, and E_ARGUMENT when `value` is none of the three
 */
export function full(shape: readonly number[], value: Element, options: DTypeOptions = {}): Tensor {
  const natural =
    typeof value === 'number' ? 'float32' : typeof value === 'boolean' ? 'bool' : typeof value === 'bigint' ? 'int64' : undefined;
  if (natural === undefined)
    throw fault('E_ARGUMENT', {
      place: 'full',
      rule: 'the value must be a number, a boolean or a bigint',
      actual: describeValue(value),
    });
  return filled(shape, () => value, readOptions(options, 'full').dtype ?? natural, 'full');
}

/**
 * Evenly spaced numbers from `start` (0 if left out) up to but without `stop`, float32 by default.
 * Element i is start + i·step in float64, then converted.
 *
 * ```ts
 * arange(4).toArray() // => [0, 1, 2, 3]
 * arange(5, 0, -2, { dtype: 'int32' }).toArray() // => [5, 3, 1]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for a step of 0 and what is no finite number, E_LIMIT for too many elements
 */
export function arange(stop: number, options?: DTypeOptions): Tensor;
export function arange(start: number, stop: number, options?: DTypeOptions): Tensor;
export function arange(start: number, stop: number, step: number, options?: DTypeOptions): Tensor;
export function arange(...args: readonly (number | DTypeOptions | undefined)[]): Tensor {
  const given = args.filter((arg) => arg !== undefined);
  const last = given.at(-1);
  const hasOptions = typeof last === 'object';
  const numbers = (hasOptions ? given.slice(0, -1) : given) as readonly number[];
  if (numbers.length < 1 || numbers.length > 3 || !numbers.every(Number.isFinite)) {
    throw fault('E_ARGUMENT', {
      place: 'arange',
      rule: 'takes one to three finite numbers, then options',
      actual: args.map(describeValue).join(', '),
    });
  }
  const [start, stop, step] = numbers.length === 1 ? [0, numbers[0], 1] : [numbers[0], numbers[1], numbers[2] ?? 1];
  if (step === 0)
    throw fault('E_ARGUMENT', { place: 'arange', rule: 'the step must not be 0', hint: 'full(shape, value) repeats one value' });
  const count = Math.max(0, Math.ceil((stop - start) / step));
  return filled([count], (i) => start + i * step, readOptions(hasOptions ? last : {}, 'arange').dtype ?? 'float32', 'arange');
}

/**
 * Ones on the main diagonal, zeros elsewhere; `columns` is `rows` by default.
 *
 * ```ts
 * eye(2).toArray() // => [[1, 0], [0, 1]]
 * eye(2, { columns: 3 }).shape // => [2, 3]
 * ```
 *
 * @throws EinstreamError as `zeros`
 */
export function eye(rows: number, options: DTypeOptions & { readonly columns?: number } = {}): Tensor {
  const { dtype = 'float32' } = readOptions(options, 'eye');
  const { columns = rows } = options;
  return filled([rows, columns], (i) => (i % (columns + 1) === 0 && i < columns * columns ? 1 : 0), dtype, 'eye');
}

function filled(shape: readonly number[], valueAt: (index: number) => Element, dtype: DType, place: string): Tensor {
  const result = allocateTensor(readShape(shape, `${place} shape`), dtype);
  fill(result.buffer.array, dtype, valueAt);
  return result;
}
