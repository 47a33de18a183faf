/**
 * @file Choice between two values.
 */
import { promote } from '../../tensor/dtype.js';
import { defineOp } from '../op.js';
import { broadcastShape } from '../rules.js';
import { s } from '../scalar.js';

/**
 * x where the condition is not zero (NaN is not), else y; all three broadcast. What is not chosen leaves no trace:
 * its NaN or ∞ stays out. The dtype is that of x and y.
 *
 * ```ts
 * where(tensor([true, false]), tensor([1, 2]), 0).toArray() // => [1, 0]
 * ```
 */
export const where = defineOp({
  name: 'where',
  aliases: ['select'],
  doc: 'x where the condition is not zero, else y; the other leaves no trace.',
  arity: 3,
  dtype: (inputs) => promote(inputs.slice(1)),
  shape: broadcastShape,
  expr: (condition, x, y) => s.select(condition, x, y),
  vjp: (dy, [condition], _y, g) => [undefined, g.where(condition, dy, 0), g.where(condition, 0, dy)],
  examples: [
    {
      inputs: [
        [1, 0, NaN],
        [1, NaN, 3],
        [NaN, 2, 30],
      ],
      output: [1, 2, 3],
    },
  ],
});
