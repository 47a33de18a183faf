/**
 * @file The interchange format's fixed formulas on soft truth, values in [0, 1].
 *
 * They are right on 0 and 1 and do not clamp what lies outside. The connectives of a named logic are in `softLogic`;
 * boolean logic is `logicalNand`, `logicalNor`, `logicalXor`.
 */
import { defineOp } from '../op.js';
import { arithmeticBinary } from '../rules.js';
import { s } from '../scalar.js';
import { chosen } from '../binary/chosen.js';

const inputs = [
  [0, 1, 0.5],
  [1, 1, 0.25],
];

/**
 * 1 − xy, the interchange format’s soft nand.
 *
 * ```ts
 * nand(tensor([0, 1, 0.5]), tensor([1, 1, 0.25])).toArray() // => [1, 0, 0.875]
 * ```
 */
export const nand = defineOp({
  ...arithmeticBinary,
  name: 'nand',
  doc: '1 − xy.',
  expr: (x, y) => s.sub(1, s.mul(x, y)),
  vjp: (dy, [x, y], _z, g) => [g.neg(g.mul(dy, y)), g.neg(g.mul(dy, x))],
  examples: [{ inputs, output: [1, 0, 0.875] }],
});

/**
 * 1 − max(x, y), the interchange format’s soft nor.
 *
 * ```ts
 * nor(tensor([0, 1, 0.5]), tensor([1, 1, 0.25])).toArray() // => [0, 0, 0.5]
 * ```
 */
export const nor = defineOp({
  ...arithmeticBinary,
  name: 'nor',
  doc: '1 − max(x, y).',
  expr: (x, y) => s.sub(1, s.max(x, y)),
  vjp: (dy, [x, y], _z, g) => chosen(g.neg(dy), g.greater(x, y), g.equal(x, y), g),
  examples: [{ inputs, output: [0, 0, 0.5] }],
});

/**
 * x + y − 2xy, the interchange format’s soft xor.
 *
 * ```ts
 * xor(tensor([0, 1, 0.5]), tensor([1, 1, 0.25])).toArray() // => [1, 0, 0.5]
 * ```
 */
export const xor = defineOp({
  ...arithmeticBinary,
  name: 'xor',
  doc: 'x + y − 2xy.',
  expr: (x, y) => s.sub(s.add(x, y), s.mul(2, s.mul(x, y))),
  vjp: (dy, [x, y], _z, g) => [g.mul(dy, g.sub(1, g.mul(2, y))), g.mul(dy, g.sub(1, g.mul(2, x)))],
  examples: [{ inputs, output: [1, 0, 0.5] }],
});

/**
 * max(x, y), a soft or; NaN wins.
 *
 * ```ts
 * orMax(tensor([0, 1, 0.5]), tensor([1, 1, 0.25])).toArray() // => [1, 1, 0.5]
 * ```
 */
export const orMax = defineOp({
  ...arithmeticBinary,
  name: 'orMax',
  aliases: ['or_max', 'ormax'],
  doc: 'max(x, y).',
  expr: s.max,
  vjp: (dy, [x, y], _z, g) => chosen(dy, g.greater(x, y), g.equal(x, y), g),
  examples: [{ inputs, output: [1, 1, 0.5] }],
});

/**
 * x + y − xy, the probabilistic sum.
 *
 * ```ts
 * orProbSum(tensor([0, 1, 0.5]), tensor([1, 1, 0.25])).toArray() // => [1, 1, 0.625]
 * ```
 */
export const orProbSum = defineOp({
  ...arithmeticBinary,
  name: 'orProbSum',
  aliases: ['or_prob_sum', 'orprobsum', 'or_probabilistic'],
  doc: 'x + y − xy, the probabilistic sum.',
  expr: (x, y) => s.sub(s.add(x, y), s.mul(x, y)),
  vjp: (dy, [x, y], _z, g) => [g.mul(dy, g.sub(1, y)), g.mul(dy, g.sub(1, x))],
  examples: [{ inputs, output: [1, 1, 0.625] }],
});
