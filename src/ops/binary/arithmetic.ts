/**
 * @file Arithmetic of two broadcast operands.
 *
 * int32 is exact modulo 2³². bool counts as int32 0 and 1.
 */
import { defineOp } from '../op.js';
import { arithmeticBinary } from '../rules.js';
import { s } from '../scalar.js';
import { chosen } from './chosen.js';

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
  vjp: (dy) => [dy, dy],
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
  vjp: (dy, _inputs, _y, g) => [dy, g.neg(dy)],
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
  vjp: (dy, [x, y], _z, g) => [g.mulNoNan(dy, y), g.mulNoNan(dy, x)],
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
  vjp: (dy, [x, y], z, g) => {
    // 0⁰ is 1 whatever leads there: flat in the base, and in the exponent too where the base is 0.
    const byBase = g.where(g.equal(y, 0), 0, g.mul(y, g.pow(x, g.sub(y, 1))));
    const isStill = g.logicalAnd(g.equal(x, 0), g.greaterEqual(y, 0));
    const byExponent = g.where(isStill, 0, g.mulNoNan(z, g.log(g.where(isStill, 1, x))));
    return [g.mulNoNan(dy, byBase), g.mulNoNan(dy, byExponent)];
  },
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
  vjp: (dy, [x, y], _z, g) => chosen(dy, g.greater(x, y), g.equal(x, y), g),
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
  vjp: (dy, [x, y], _z, g) => chosen(dy, g.less(x, y), g.equal(x, y), g),
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
  vjp: (dy, [x, y], _z, g) => {
    const twice = g.mulNoNan(dy, g.mul(2, g.sub(x, y)));
    return [twice, g.neg(twice)];
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
