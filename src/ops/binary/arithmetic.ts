/**
 * @file Arithmetic of two broadcast operands.
 *
 * int32 is exact modulo 2³². bool counts as int32 0 and 1.
 */
import { defineOp } from '../op.js';
import { arithmeticBinary } from '../rules.js';
import { s } from '../scalar.js';

/**
 * x + y, element by element; int32 wraps.
 *
 * ```ts
 * add(tensor([1, 2]), tensor([10])).toArray() // => [11, 12]
 * ```
 */
export const add = defineOp({
  ...arithmeticBinary,
  name: 'add',
  doc: 'x + y.',
  expr: s.add,
  examples: [{ inputs: [[1, 2], [10]], output: [11, 12] }],
});

/**
 * x − y, element by element; int32 wraps.
 *
 * ```ts
 * sub(tensor([1, 2]), tensor([10])).toArray() // => [-9, -8]
 * ```
 */
export const sub = defineOp({
  ...arithmeticBinary,
  name: 'sub',
  aliases: ['subtract'],
  doc: 'x − y.',
  expr: s.sub,
  examples: [{ inputs: [[1, 2], [10]], output: [-9, -8] }],
});

/**
 * x·y, element by element; int32 wraps.
 *
 * ```ts
 * mul(tensor([1, 2]), tensor([10])).toArray() // => [10, 20]
 * ```
 */
export const mul = defineOp({
  ...arithmeticBinary,
  name: 'mul',
  aliases: ['multiply'],
  doc: 'x·y.',
  expr: s.mul,
  examples: [{ inputs: [[1, 2], [10]], output: [10, 20] }],
});

/**
 * xʸ as in C: x⁰ = 1 and 1ʸ = 1 whatever the other is. int32 wraps; a negative power of an int32 is its reciprocal,
 * truncated: 0 but for ±1.
 *
 * ```ts
 * pow(tensor([2, 1, -1]), tensor([3, NaN, Infinity])).toArray() // => [8, 1, 1]
 * ```
 */
export const pow = defineOp({
  ...arithmeticBinary,
  name: 'pow',
  aliases: ['power'],
  doc: 'xʸ (C99: x⁰ = 1ʸ = 1, also for NaN). int32 wraps; its negative powers are truncated reciprocals.',
  expr: s.pow,
  examples: [
    {
      inputs: [
        [2, 1, -1],
        [3, NaN, Infinity],
      ],
      output: [8, 1, 1],
    },
  ],
});

/**
 * The larger; NaN wins, −0 is below 0.
 *
 * ```ts
 * maximum(tensor([1, 5, NaN]), tensor([3, 2, 1])).toArray() // => [3, 5, NaN]
 * ```
 */
export const maximum = defineOp({
  ...arithmeticBinary,
  name: 'maximum',
  doc: 'The larger of two; NaN wins.',
  expr: s.max,
  examples: [
    {
      inputs: [
        [1, 5, NaN],
        [3, 2, 1],
      ],
      output: [3, 5, NaN],
    },
  ],
});

/**
 * The smaller; NaN wins, −0 is below 0.
 *
 * ```ts
 * minimum(tensor([1, 5, NaN]), tensor([3, 2, 1])).toArray() // => [1, 2, NaN]
 * ```
 */
export const minimum = defineOp({
  ...arithmeticBinary,
  name: 'minimum',
  doc: 'The smaller of two; NaN wins.',
  expr: s.min,
  examples: [
    {
      inputs: [
        [1, 5, NaN],
        [3, 2, 1],
      ],
      output: [1, 2, NaN],
    },
  ],
});

/**
 * (x − y)², element by element.
 *
 * ```ts
 * squaredDifference(tensor([1, 5]), tensor([3, 2])).toArray() // => [4, 9]
 * ```
 */
export const squaredDifference = defineOp({
  ...arithmeticBinary,
  name: 'squaredDifference',
  aliases: ['squared_difference'],
  doc: '(x − y)².',
  expr: (x, y) => {
    const difference = s.sub(x, y);
    return s.mul(difference, difference);
  },
  examples: [
    {
      inputs: [
        [1, 5],
        [3, 2],
      ],
      output: [4, 9],
    },
  ],
});
