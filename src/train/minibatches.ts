/**
 * @file Batches of rows, in an order that a seed decides: the same stream at every run, wherever it is taken up.
 */
import { describeValue, fault } from '../errors/index.js';
import { slice } from '../ops/movement/index.js';
import { range, Tensor, tensor, type NestedArray, type TypedArray } from '../tensor/index.js';
import { allocateArray, tensorOver } from '../tensor/tensor.js';
import { permutation, streamOf } from './permutation.js';

/** How rows become batches. */
export interface MinibatchOptions {
  /** Rows of a batch; the last of an epoch may have fewer. */
  readonly size: number;
  /** Times that all rows are gone through; 1 by default, `Infinity` for a stream that does not end. */
  readonly epochs?: number;
  /** False: rows in their order. By default each epoch has an order of its own. */
  readonly shuffle?: boolean;
  /** An integer from which the orders follow; 0 by default. */
  readonly seed?: number;
  /** True: a last batch that has fewer rows is left out. */
  readonly dropLast?: boolean;
  /** Where to begin: batches that are behind, as `TrainState.batches` counts them, or epoch and batch, both counted from 0. */
  readonly from?: number | { readonly epoch: number; readonly batch: number };
}

/** Batches, made as they are asked for; each walk begins anew. */
export interface Minibatches<K extends string = string> extends Iterable<Readonly<Record<K, Tensor>>> {
  /** Batches of one epoch. */
  readonly perEpoch: number;
}

/**
 * Batches of the rows (axis 0) of tensors that belong together: a pull-based stream, `from(minibatches(…))` in RxJS.
 *
 * The order of an epoch depends on the seed, the epoch and the number of rows alone, so that a training that goes on from a saved
 * state sees what it would have seen: give `from: state.batches`. Rows are copied when their batch is asked for, and not before.
 *
 * ```ts
 * const rows = { x: tensor([[1, 10], [2, 20], [3, 30]]), t: tensor([1, 2, 3]) };
 * [...minibatches(rows, { size: 2, shuffle: false })].map(({ t }) => t.toArray()); // => [[1, 2], [3]]
 * [...minibatches(rows, { size: 2, epochs: 2, seed: 4 })].map(({ t }) => t.toArray()); // => [[2, 3], [1], [2, 1], [3]]
 * [...minibatches(rows, { size: 2, epochs: 2, seed: 4, from: 3 })].map(({ t }) => t.toArray()); // => [[3]]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for wrong options and for data without rows, E_SHAPE where tensors have unequal numbers of rows
 */
export function minibatches<K extends string>(
  data: Readonly<Record<K, Tensor | NestedArray | TypedArray>>,
  options: MinibatchOptions,
): Minibatches<K> {
  const { size, epochs = 1, shuffle = true, seed = 0, dropLast = false, from = 0 } = checked(options);
  const columns = columnsOf(data);
  const [{ tensor: first }] = columns;
  const rows = first.shape[0];
  const perEpoch = dropLast ? Math.floor(rows / size) : Math.ceil(rows / size);
  if (perEpoch === 0) throw refused('an epoch has at least one batch', `size ${size} of ${rows} rows, dropLast`);
  const start = typeof from === 'number' ? from : from.epoch * perEpoch + from.batch;

  function* walk(): Generator<Readonly<Record<K, Tensor>>> {
    let epoch = -1;
    let order: Uint32Array = new Uint32Array(0);
    for (let at = start; at < epochs * perEpoch; at++) {
      const [now, begin] = [Math.floor(at / perEpoch), (at % perEpoch) * size];
      const end = Math.min(begin + size, rows);
      if (shuffle && now !== epoch) order = permutation(rows, streamOf(seed, now));
      epoch = now;
      const taken = columns.map(({ name, tensor: whole }) => [
        name,
        shuffle ? gathered(whole, order.subarray(begin, end)) : slice(whole, range(begin, end)),
      ]);
      yield Object.freeze(Object.fromEntries(taken) as Record<K, Tensor>);
    }
  }
  return Object.freeze({ perEpoch, [Symbol.iterator]: walk });
}

const refused = (rule: string, actual: string) => fault('E_ARGUMENT', { place: 'minibatches', rule, actual });
const wrong = (rule: string, value: unknown) => refused(rule, describeValue(value));

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const KNOWN = ['size', 'epochs', 'shuffle', 'seed', 'dropLast', 'from'];

function checked(options: MinibatchOptions): MinibatchOptions {
  if (typeof options !== 'object' || options === null) throw wrong('options are one object', options);
  const unknown = Object.keys(options).find((key) => !KNOWN.includes(key));
  if (unknown !== undefined) throw wrong(`an option must be known: ${KNOWN.join(', ')}`, unknown);
  const { size, epochs = 1, shuffle = true, seed = 0, dropLast = false, from = 0 } = options;
  if (!isCount(size) || size === 0) throw wrong('size must be an integer ≥ 1', size);
  if (epochs !== Infinity && !isCount(epochs)) throw wrong('epochs must be an integer ≥ 0, or Infinity', epochs);
  if (typeof shuffle !== 'boolean') throw wrong('shuffle is true or false', shuffle);
  if (typeof dropLast !== 'boolean') throw wrong('dropLast is true or false', dropLast);
  if (!Number.isSafeInteger(seed)) throw wrong('seed must be an integer', seed);
  const isPlace = typeof from === 'object' && from !== null && isCount(from.epoch) && isCount(from.batch);
  if (!isCount(from) && !isPlace) throw wrong('from is a number of batches ≥ 0, or { epoch, batch }', from);
  return options;
}

interface Column {
  readonly name: string;
  readonly tensor: Tensor;
}

/** Tensors in row-major order, all of as many rows. */
function columnsOf(data: unknown): readonly [Column, ...Column[]] {
  if (typeof data !== 'object' || data === null) throw wrong('data are tensors by name', data);
  const columns = Object.entries(data).map(([name, value]: [string, Tensor | NestedArray]): Column => {
    const own = value instanceof Tensor ? value : tensor(value);
    if (own.rank === 0) throw refused(`"${name}" must have rows, one along axis 0`, 'a scalar');
    return { name, tensor: own.isContiguous ? own : tensorOver(own.data, own.dtype, own.shape) };
  });
  const [first, ...others] = columns;
  if (first === undefined || first.tensor.shape[0] === 0)
    throw refused('data must have at least one row', first === undefined ? 'no tensors' : `"${first.name}" without rows`);
  const odd = others.find(({ tensor: { shape } }) => shape[0] !== first.tensor.shape[0]);
  if (odd === undefined) return [first, ...others];
  throw fault('E_SHAPE', {
    place: 'minibatches',
    rule: 'tensors that belong together have as many rows',
    expected: `${first.tensor.shape[0]} ("${first.name}")`,
    actual: `${odd.tensor.shape[0]} ("${odd.name}")`,
  });
}

/** The rows of a contiguous tensor, in the order named. */
function gathered({ data, dtype, shape, size }: Tensor, rows: Uint32Array): Tensor {
  const width = size / shape[0];
  const taken = allocateArray(rows.length * width, dtype) as Float64Array;
  const source = data as Float64Array;
  rows.forEach((row, at) => taken.set(source.subarray(row * width, (row + 1) * width), at * width));
  return tensorOver(taken, dtype, Object.freeze([rows.length, ...shape.slice(1)]));
}
