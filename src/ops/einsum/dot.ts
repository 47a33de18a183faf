/**
 * @file Dot product and outer product, by NumPy's rules.
 */
import { fault } from '../../errors/index.js';
import { formatShape, type Shape } from '../../tensor/shape.js';
import { isCompatible, type Dims } from '../dims.js';
import { defineOp, type Place } from '../op.js';
import { arithmetic } from '../rules.js';
import { dotLabels, innerAxis } from './product-labels.js';
import type { Contraction } from './resolve.js';
import { rankedDims } from './backwards.js';
import { SHARED } from '../vjp.js';

/**
 * Sum of products over the last axis of `x` and the last but one of `y` (its only one, if it is a vector); the other
 * axes of `x`, then those of `y`, are the result's. With a scalar it is the plain product.
 *
 * ```ts
 * dot(tensor([1, 2, 3]), tensor([4, 5, 6])).toArray() // => 32
 * ```
 *
 * @throws EinstreamError E_SHAPE where the two sizes differ
 */
export const dot = defineOp({
  name: 'dot',
  doc: "NumPy's dot: sum over the last axis of x and the last but one of y; the other axes of both follow one another.",
  arity: 2,
  dtype: arithmetic,
  shape: ([x, y], _params, place) => (x === undefined || y === undefined ? undefined : dotDims(x, y, place)),
  contract: (_params, [x, y]) => dotContraction(x, y),
  tolerance: { relative: 1e-5, absolute: 1e-6 },
  vjp: (dy, inputs, _y, g) => {
    const [x, y] = inputs.map((each) => rankedDims(each, 'dot'));
    return g[SHARED].contraction(dy, inputs, dotLabels(x, y), g);
  },
  examples: [
    {
      inputs: [
        [1, 2, 3],
        [4, 5, 6],
      ],
      output: 32,
    },
    {
      inputs: [
        [
          [1, 2],
          [3, 4],
        ],
        [5, 6],
      ],
      output: [17, 39],
    },
    { inputs: [2, [1, 2]], output: [2, 4] },
  ],
});

/**
 * All products of an element of vector `x` and one of vector `y`: shapes [n] and [m] give [n, m].
 *
 * ```ts
 * outer(tensor([1, 2]), tensor([3, 4])).toArray() // => [[3, 4], [6, 8]]
 * ```
 *
 * @throws EinstreamError E_SHAPE for anything but vectors (reshape first; nothing is flattened unasked)
 */
export const outer = defineOp({
  name: 'outer',
  doc: 'All products of an element of one vector and one of another: [n] and [m] give [n, m].',
  arity: 2,
  dtype: arithmetic,
  shape: ([x, y], _params, place) => {
    for (const dims of [x, y]) {
      if (dims !== undefined && dims.length !== 1) {
        throw fault('E_SHAPE', {
          ...place,
          rule: 'outer takes two vectors',
          actual: `shape ${formatShape(dims)}`,
          hint: 'reshape it to one axis first',
        });
      }
    }
    return [x?.[0] ?? null, y?.[0] ?? null];
  },
  contract: (_params, [x, y]) => ({
    sizes: [x[0], y[0]],
    operands: [[0], [1]],
    output: [0, 1],
    names: ['i', 'j'],
    shapes: [x, y],
  }),
  vjp: (dy, inputs, _y, g) => g[SHARED].contraction(dy, inputs, { operands: [[0], [1]], output: [0, 1] }, g),
  examples: [
    {
      inputs: [
        [1, 2],
        [3, 4],
      ],
      output: [
        [3, 4],
        [6, 8],
      ],
    },
  ],
});

function dotDims(x: Dims, y: Dims, place: Place): Dims {
  if (x.length === 0 || y.length === 0) return [...x, ...y];
  const at = innerAxis(y);
  if (!isCompatible(x.at(-1)!, y[at])) {
    throw fault('E_SHAPE', {
      ...place,
      rule: 'the last axis of the left operand and the last but one of the right must have one size',
      expected: `${x.at(-1)} (axis ${x.length - 1} of operand 0, shape ${formatShape(x)})`,
      actual: `${y[at]} (axis ${at} of operand 1, shape ${formatShape(y)})`,
      hint: 'transpose an operand',
    });
  }
  return [...x.slice(0, -1), ...y.filter((_, axis) => axis !== at)];
}

function dotContraction(x: Shape, y: Shape): Contraction {
  const labels = dotLabels(x, y);
  const own = y.map((_, axis) => axis).filter((axis) => labels.operands[1][axis] >= x.length);
  return {
    ...labels,
    sizes: [...x, ...own.map((axis) => y[axis])],
    names: [...x.map((_, axis) => `x${axis}`), ...own.map((axis) => `y${axis}`)],
    shapes: [x, y],
  };
}
