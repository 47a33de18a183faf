/**
 * @file Tensors side by side along a new axis, and the way back.
 */
import { fault } from '../../errors/index.js';
import { normalizeAxis } from '../../tensor/axis.js';
import { range } from '../../tensor/view/specs.js';
import { dimsOf } from '../dimsOf.js';
import type { Operand, ResultOf } from '../interpreter.js';
import { concat, type ConcatParams } from './concat.js';
import { slice } from './slice.js';
import { unsqueeze } from './unsqueeze.js';

/**
 * Tensors of one shape side by side along a new axis, which stands at `axis` of the result (0 by default).
 *
 * ```ts
 * stack([tensor([1, 2]), tensor([3, 4])], { axis: 1 }).toArray() // => [[1, 3], [2, 4]]
 * ```
 *
 * @throws EinstreamError E_SHAPE when the shapes differ
 */
export function stack<A extends Operand>(operands: readonly A[], { axis = 0 }: ConcatParams = {}): ResultOf<A> {
  const rows = operands.map((operand) => unsqueeze<Operand>(operand, { axis }));
  return concat(rows, { axis }) as ResultOf<A>;
}

/** So many equal `parts`, or these `sizes`; along the first axis by default. */
export interface SplitParams extends ConcatParams {
  readonly parts?: number;
  readonly sizes?: readonly number[];
}

/**
 * Cuts a tensor along `axis` into `parts` of equal size, or into the given `sizes`. Views.
 *
 * ```ts
 * split(tensor([1, 2, 3, 4]), { parts: 2 }).map((part) => part.toArray()) // => [[1, 2], [3, 4]]
 * split(tensor([1, 2, 3]), { sizes: [1, 2] }).map((part) => part.toArray()) // => [[1], [2, 3]]
 * ```
 *
 * @throws EinstreamError E_SHAPE when the size of the axis is not known, or is not the sum of the parts
 */
export function split<A extends Operand>(operand: A, { axis = 0, parts, sizes }: SplitParams): readonly ResultOf<A>[] {
  const dims = dimsOf(operand);
  const at = dims === undefined ? 0 : normalizeAxis(axis, dims.length, 'split');
  const size = dims?.[at];
  const pieces =
    sizes ??
    (Number.isInteger(parts) && parts! > 0 && typeof size === 'number' ? new Array<number>(parts!).fill(size / parts!) : []);
  const total = pieces.reduce((sum, piece) => sum + piece, 0);
  if (pieces.length === 0 || total !== size || !pieces.every((piece) => Number.isInteger(piece) && piece >= 0)) {
    throw fault('E_SHAPE', {
      op: 'split',
      rule: `the parts must fill axis ${axis}`,
      expected: typeof size === 'number' ? `sizes that add up to ${size}` : 'an axis of known size',
      actual: sizes === undefined ? `${parts} equal parts` : `sizes [${sizes.join(', ')}]`,
    });
  }
  let from = 0;
  return pieces.map((piece) => slice(operand, ...new Array<null>(at).fill(null), range(from, (from += piece))));
}
