/**
 * @file Tensors of one value, of another tensor's shape and dtype.
 */
import { defineOp } from '../op.js';
import { broadcastShape, highest } from '../rules.js';
import { s } from '../scalar.js';
import { flat } from '../vjp.js';

const like = { arity: 1, dtype: highest, shape: broadcastShape, vjp: flat } as const;

/**
 * Zeros of the shape and dtype of x, whatever its elements are.
 *
 * ```ts
 * zerosLike(tensor([1, NaN])).toArray() // => [0, 0]
 * ```
 */
export const zerosLike = defineOp({
  ...like,
  name: 'zerosLike',
  aliases: ['zeros_like'],
  doc: 'Zeros of the operand’s shape and dtype.',
  expr: () => s.constant(0),
  examples: [[NaN, 0]],
});

/**
 * Ones of the shape and dtype of x, whatever its elements are.
 *
 * ```ts
 * onesLike(tensor([1, NaN])).toArray() // => [1, 1]
 * ```
 */
export const onesLike = defineOp({
  ...like,
  name: 'onesLike',
  aliases: ['ones_like'],
  doc: 'Ones of the operand’s shape and dtype.',
  expr: () => s.constant(1),
  examples: [[NaN, 1]],
});
