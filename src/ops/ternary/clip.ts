/**
 * @file Values kept within bounds.
 */
import { promote } from '../../tensor/dtype.js';
import { defineOp } from '../op.js';
import { optionalReal } from '../params.js';
import { arithmetic, broadcastShape } from '../rules.js';
import { s } from '../scalar.js';

/** The bounds; one that is left out does not bind. */
export interface ClipParams {
  readonly min?: number;
  readonly max?: number;
}

/** A bound that leaves int32 values int32: whole, or no bound at all. */
const isWhole = (bound: unknown): boolean =>
  bound === undefined || Math.abs(bound as number) === Infinity || Number.isInteger(bound);

/**
 * min(max(x, min), max); a bound left out does not bind. NaN stays. Where min > max the result is max, as in NumPy.
 * int32 stays int32 between whole bounds, and gives float32 otherwise.
 *
 * ```ts
 * clip(tensor([-5, 0.5, 5]), { min: -1, max: 1 }).toArray() // => [-1, 0.5, 1]
 * ```
 */
export const clip = defineOp<1, ClipParams>({
  name: 'clip',
  aliases: ['clamp'],
  doc: 'min(max(x, min), max); a bound left out does not bind, NaN stays.',
  arity: 1,
  params: { min: optionalReal, max: optionalReal },
  dtype: (inputs, params) =>
    isWhole(params['min']) && isWhole(params['max']) ? arithmetic(inputs, params) : promote(['float32', ...inputs]),
  shape: broadcastShape,
  exprFor:
    ({ min, max }) =>
    (x) => {
      const above = min === undefined ? x : s.max(x, min);
      return max === undefined ? above : s.min(above, max);
    },
  vjp: (dy, [x], _y, g, { min = -Infinity, max = Infinity }) => [
    g.where(g.logicalAnd(g.greaterEqual(x, min), g.lessEqual(x, max)), dy, 0),
  ],
  examples: [{ inputs: [[-5, 0.5, 5, NaN]], params: { min: -1, max: 1 }, output: [-1, 0.5, 1, NaN] }],
});
