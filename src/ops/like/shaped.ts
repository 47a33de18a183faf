/**
 * @file A tensor brought to another one's shape, which need not be known before it runs.
 */
import { fault } from '../../errors/index.js';
import { formatShape, type Shape } from '../../tensor/shape.js';
import { reshapeLayout } from '../../tensor/view/reshape.js';
import { broadcastDim, broadcastDims, type Dims } from '../dims.js';
import { defineOp, type Place } from '../op.js';
import { arithmetic, broadcastShape } from '../rules.js';

/**
 * The elements of x repeated as broadcasting against `like` does.
 *
 * ```ts
 * broadcastLike(tensor([1, 2]), zeros([2, 2])).toArray() // => [[1, 2], [1, 2]]
 * ```
 *
 * @throws EinstreamError E_SHAPE naming the axis and both sizes
 */
export const broadcastLike = defineOp({
  name: 'broadcastLike',
  aliases: ['broadcast_like'],
  doc: 'The elements of x repeated as broadcasting against the other operand does.',
  arity: 2,
  dtype: ([x]) => x,
  shape: broadcastShape,
  expr: (x) => x,
  vjp: (dy, [x], _y, g) => [g.sumLike(dy, x)],
  tolerance: { relative: 0, absolute: 0 },
  examples: [{ inputs: [[1, 2], [[0, 0], [0, 0]]], output: [[1, 2], [1, 2]] }], // prettier-ignore
});

/**
 * x summed to the shape of `like`, from which it could have been broadcast: what broadcasting does, backwards.
 *
 * ```ts
 * sumLike(tensor([[1, 2], [3, 4]]), zeros([2])).toArray() // => [4, 6]
 * sumLike(tensor([[1, 2], [3, 4]]), zeros([2, 1])).toArray() // => [[3], [7]]
 * ```
 *
 * @throws EinstreamError E_SHAPE naming the axis and both sizes
 */
export const sumLike = defineOp({
  name: 'sumLike',
  aliases: ['sum_like'],
  doc: 'x summed to the shape of the other operand, from which it could have been broadcast.',
  arity: 2,
  dtype: ([x]) => arithmetic([x], {}),
  shape: ([x, like], _params, place) => {
    if (x !== undefined && like !== undefined) requireReach(like, x, place);
    return like;
  },
  fold: (_params, [x, like]) => ({
    axes: summedAxes(x, like),
    folds: [{ monoid: 'sum', value: ([each]) => each }],
    result: ([total]) => total,
    emits: 'group',
  }),
  vjp: (dy, [x], _y, g) => [g.broadcastLike(dy, x)],
  tolerance: { relative: 1e-5, absolute: 1e-6 },
  examples: [{ inputs: [[[1, 2], [3, 4]], [[0], [0]]], output: [[3], [7]] }], // prettier-ignore
});

/**
 * The elements of x in row-major order, under the shape of `like`. A view where the strides allow it.
 *
 * ```ts
 * reshapeLike(tensor([1, 2, 3, 4]), zeros([2, 2])).toArray() // => [[1, 2], [3, 4]]
 * ```
 *
 * @throws EinstreamError E_SHAPE naming both shapes when the counts differ
 */
export const reshapeLike = defineOp({
  name: 'reshapeLike',
  aliases: ['reshape_like'],
  doc: 'The elements of x in row-major order, under the shape of the other operand.',
  arity: 2,
  dtype: ([x]) => x,
  shape: ([, like]) => like,
  view: (x, _params, [, like]) => reshapeLayout(x, like),
  vjp: (dy, [x], _y, g) => [g.reshapeLike(dy, x)],
  tolerance: { relative: 0, absolute: 0 },
  examples: [{ inputs: [[1, 2, 3, 4], [[0, 0], [0, 0]]], output: [[1, 2], [3, 4]] }], // prettier-ignore
});

/** `from` must broadcast to `to`, and no further. */
function requireReach(from: Dims, to: Dims, place: Place): void {
  const broadcast = broadcastDims([from, to], place);
  const lead = broadcast.length - to.length;
  const grows = lead > 0 || to.some((dim, axis) => dim === 1 && broadcastDim(dim, broadcast[axis]) !== 1);
  if (!grows) return;
  throw fault('E_SHAPE', {
    ...place,
    rule: 'the smaller shape must broadcast to the larger one',
    expected: `a shape that broadcasts to ${formatShape(to)}`,
    actual: formatShape(from),
  });
}

/** Axes of x that `like` lacks, or where it has size 1. */
const summedAxes = (x: Shape, like: Shape): readonly number[] => {
  const lead = x.length - like.length;
  return x.flatMap((size, axis) => (axis < lead || (like[axis - lead] === 1 && size !== 1) ? [axis] : []));
};
