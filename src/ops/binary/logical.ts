/**
 * @file Boolean logic of two broadcast operands: what is not zero is true, NaN included. The answer is bool.
 *
 * `nand`, `nor` and `xor` without the prefix are formulas on soft truth: see `softlogic/`.
 */
import { defineOp } from '../op.js';
import { booleanBinary } from '../rules.js';
import { s } from '../scalar.js';
import { flat } from '../vjp.js';

const table = (...output: readonly boolean[]) => [
  {
    inputs: [
      [0, 0, 2, 2],
      [0, 3, 0, 3],
    ],
    output,
  },
];

/**
 * True where both are not zero.
 *
 * ```ts
 * logicalAnd(tensor([0, 0, 2, 2]), tensor([0, 3, 0, 3])).toArray() // => [false, false, false, true]
 * ```
 */
export const logicalAnd = defineOp({
  ...booleanBinary,
  name: 'logicalAnd',
  aliases: ['logical_and'],
  doc: 'True where both are not zero.',
  expr: s.and,
  vjp: flat,
  examples: table(false, false, false, true),
});

/**
 * True where one or both are not zero.
 *
 * ```ts
 * logicalOr(tensor([0, 0, 2, 2]), tensor([0, 3, 0, 3])).toArray() // => [false, true, true, true]
 * ```
 */
export const logicalOr = defineOp({
  ...booleanBinary,
  name: 'logicalOr',
  aliases: ['logical_or'],
  doc: 'True where one or both are not zero.',
  expr: s.or,
  vjp: flat,
  examples: table(false, true, true, true),
});

/**
 * True where exactly one is not zero.
 *
 * ```ts
 * logicalXor(tensor([0, 0, 2, 2]), tensor([0, 3, 0, 3])).toArray() // => [false, true, true, false]
 * ```
 */
export const logicalXor = defineOp({
  ...booleanBinary,
  name: 'logicalXor',
  aliases: ['logical_xor'],
  doc: 'True where exactly one is not zero.',
  expr: s.xor,
  vjp: flat,
  examples: table(false, true, true, false),
});

/**
 * True unless both are not zero.
 *
 * ```ts
 * logicalNand(tensor([0, 0, 2, 2]), tensor([0, 3, 0, 3])).toArray() // => [true, true, true, false]
 * ```
 */
export const logicalNand = defineOp({
  ...booleanBinary,
  name: 'logicalNand',
  aliases: ['logical_nand'],
  doc: 'True where not both are different from zero.',
  expr: (x, y) => s.not(s.and(x, y)),
  vjp: flat,
  examples: table(true, true, true, false),
});

/**
 * True where both are zero.
 *
 * ```ts
 * logicalNor(tensor([0, 0, 2, 2]), tensor([0, 3, 0, 3])).toArray() // => [true, false, false, false]
 * ```
 */
export const logicalNor = defineOp({
  ...booleanBinary,
  name: 'logicalNor',
  aliases: ['logical_nor'],
  doc: 'True where both are zero.',
  expr: (x, y) => s.not(s.or(x, y)),
  vjp: flat,
  examples: table(true, false, false, false),
});
