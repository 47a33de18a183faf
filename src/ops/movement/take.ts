/**
 * @file Elements chosen by a tensor of indices.
 */
import { fault } from '../../errors/index.js';
import { range } from '../../tensor/view/specs.js';
import { normalizeAxis } from '../../tensor/axis.js';
import type { ComputedDType } from '../../tensor/dtype.js';
import type { Dims } from '../dims.js';
import { defineOp, type Place } from '../op.js';
import { integer } from '../params.js';
import { bounded } from './within.js';
import { dimsOf } from '../dimsOf.js';
import type { Operand } from '../interpreter.js';
import type { GradientOps } from '../vjp.js';

/** The axis that the indices choose from. */
export interface TakeParams {
  /** The first by default. */
  readonly axis?: number;
}

/**
 * The elements of `x` along `axis` at `indices`, an int32 tensor of any shape, whose axes take the place of `axis`.
 * Negative indices count from the end. An index that is not there is an error when it is met, never NaN.
 *
 * ```ts
 * take(tensor([10, 20, 30]), tensor(Int32Array.of(2, -3))).toArray() // => [30, 10]
 * ```
 *
 * @throws EinstreamError E_SHAPE naming the index and the size, E_DTYPE for indices that are not int32
 */
export const take = defineOp<2, TakeParams>({
  name: 'take',
  doc: 'The elements of x along an axis at the int32 indices; negative ones count from the end.',
  aliases: ['gather'],
  arity: 2,
  params: { axis: integer(0) },
  dtype: takenDType,
  shape: takenDims,
  gather: ({ axis = 0 }, [shape]) => ({ axis: normalizeAxis(axis, shape.length, 'take') }),
  tolerance: { relative: 0, absolute: 0 },
  vjp: scattered,
  examples: [{ inputs: [[10, 20, 30], { data: [2, -3], dtype: 'int32' }], output: [30, 10] }],
});

function takenDType([x, indices]: readonly ComputedDType[]): ComputedDType {
  if (indices === 'int32') return x;
  throw fault('E_DTYPE', {
    op: 'take',
    rule: 'indices must be int32',
    actual: indices,
    hint: 'tensor(Int32Array.of(…)); for one element, slice with at(i)',
  });
}

function takenDims([dims, indices]: readonly (Dims | undefined)[], { axis = 0 }: TakeParams, place: Place): Dims | undefined {
  if (dims === undefined) return undefined;
  const at = normalizeAxis(axis, dims.length, place);
  return indices && bounded([...dims.slice(0, at), ...indices, ...dims.slice(at + 1)], place);
}

/**
 * Every element of the gradient added where it was taken from: a contraction with the indices as rows of zeros and one 1,
 * so that equal indices add, in any order.
 */
function scattered(
  dy: Operand,
  [x, indices]: readonly Operand[],
  _y: Operand,
  g: GradientOps,
  { axis = 0 }: TakeParams,
): Operand[] {
  const [dims, chosen] = [dimsOf(x), dimsOf(indices)];
  if (dims === undefined || chosen === undefined)
    throw fault('E_GRADIENT', {
      op: 'take',
      rule: 'the gradient of take needs the ranks of its operands',
      hint: 'declare the dims of the inputs',
    });
  const at = normalizeAxis(axis, dims.length, 'take');
  // One index of each other axis, or none where it is empty: then nothing was taken, and any positions will do.
  const row = g.slice(g.iota(x, { axis: at }), { specs: dims.map((_, k) => (k === at ? null : range(0, 1))) });
  const others = dims.map((_, k) => k).filter((k) => k !== at);
  const positions = others.length === 0 ? row : g.sum(row, { axis: others });
  const size = g.sizeAlong(positions);
  const counted = g.where(g.less(indices, 0), g.add(indices, size), indices);
  const isTaken = g.equal(g.unsqueeze(counted, { axis: -1 }), positions);
  const letters = Array.from({ length: dims.length + chosen.length }, (_, k) => String.fromCharCode(k < 26 ? 97 + k : 39 + k));
  const [own, index] = [letters.slice(0, dims.length), letters.slice(dims.length)];
  const taken = [...own.slice(0, at), ...index, ...own.slice(at + 1)];
  return [g.einsum(dy, isTaken, { spec: `${taken.join('')},${index.join('')}${own[at]}->${own.join('')}` })];
}
