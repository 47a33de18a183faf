/**
 * @file Matrix product, by NumPy's rules.
 */
import { fault } from '../../errors/index.js';
import { formatShape } from '../../tensor/shape.js';
import { isCompatible, type Dims } from '../dims.js';
import { defineOp, type Place } from '../op.js';
import { arithmetic } from '../rules.js';
import { parseEinsum } from './parse.js';
import { matmulLabels, matmulSpec } from './product-labels.js';
import { resolveEinsum, type ResolvedEinsum } from './resolve.js';
import { rankedDims } from './backwards.js';
import { SHARED } from '../vjp.js';

/**
 * Matrix product of the last two axes; the axes before them broadcast. A vector on the left is a row, on the right a
 * column, and its axis is gone from the result. bool and int32 give int32, which wraps.
 *
 * Shapes: […, n, k] and […, k, m] give […, n, m].
 *
 * ```ts
 * matmul(tensor([[1, 2], [3, 4]]), tensor([[5, 6], [7, 8]])).toArray() // => [[19, 22], [43, 50]]
 * matmul(tensor([[1, 2], [3, 4]]), tensor([1, 1])).toArray() // => [3, 7]
 * ```
 *
 * @throws EinstreamError E_SHAPE for a scalar, or where the inner sizes differ (a size of 1 does not stretch there)
 */
export const matmul = defineOp({
  name: 'matmul',
  doc: 'Matrix product of the last two axes; the axes before them broadcast. A vector is a row on the left, a column on the right.',
  arity: 2,
  dtype: arithmetic,
  shape: ([x, y], _params, place) => (x === undefined || y === undefined ? undefined : resolve(x, y, place).output),
  contract: (_params, [x, y]) => resolve(x, y, { op: 'matmul' }).contraction!,
  tolerance: { relative: 1e-5, absolute: 1e-6 },
  vjp: (dy, inputs, _y, g) => {
    const [x, y] = inputs.map((each) => rankedDims(each, 'matmul'));
    return g[SHARED].contraction(dy, inputs, matmulLabels(x, y), g);
  },
  examples: [
    {
      inputs: [
        [
          [1, 2],
          [3, 4],
        ],
        [
          [5, 6],
          [7, 8],
        ],
      ],
      output: [
        [19, 22],
        [43, 50],
      ],
    },
    {
      inputs: [
        [1, 2],
        [3, 4],
      ],
      output: 11,
    },
    {
      inputs: [
        [[[1, 2]], [[3, 4]]],
        [1, 10],
      ],
      output: [[21], [43]],
    },
  ],
});

function resolve(x: Dims, y: Dims, place: Place): ResolvedEinsum {
  if (x.length === 0 || y.length === 0) {
    throw fault('E_SHAPE', {
      ...place,
      rule: 'matmul takes no scalars',
      actual: `shapes ${formatShape(x)} and ${formatShape(y)}`,
      hint: 'use mul',
    });
  }
  const [inner, against] = [x.at(-1)!, y.at(y.length === 1 ? -1 : -2)!];
  if (!isCompatible(inner, against)) {
    throw fault('E_SHAPE', {
      ...place,
      rule: 'the last axis of the left operand and the last but one of the right must have one size',
      expected: `${inner} (axis ${x.length - 1} of operand 0, shape ${formatShape(x)})`,
      actual: `${against} (axis ${Math.max(0, y.length - 2)} of operand 1, shape ${formatShape(y)})`,
      hint: 'transpose an operand',
    });
  }
  return resolveEinsum(parseEinsum(matmulSpec(x, y)), [x, y], undefined, place);
}
