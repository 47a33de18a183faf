/**
 * @file Transcendental functions of two broadcast operands. int32 and bool give float32.
 */
import { defineOp } from '../op.js';
import { floatBinary } from '../rules.js';
import { s } from '../scalar.js';

/**
 * The angle of the point (y, x), in [−π, π]; the signs of zeros decide the quadrant. The ordinate comes first.
 *
 * ```ts
 * atan2(tensor([1, 0, -0]), tensor([1, -1, -1])).toArray() // => [0.7853982, 3.141593, -3.141593]
 * ```
 */
export const atan2 = defineOp({
  ...floatBinary,
  name: 'atan2',
  aliases: ['arctan2'],
  doc: 'The angle of the point with ordinate x and abscissa y (C99 atan2).',
  expr: s.atan2,
  vjp: (dy, [y, x], _z, g) => {
    const square = g.add(g.square(x), g.square(y));
    return [g.mulNoNan(dy, g.div(x, square)), g.mulNoNan(dy, g.neg(g.div(y, square)))];
  },
  examples: [
    {
      inputs: [
        [1, 0, -0],
        [1, -1, -1],
      ],
      output: [0.7853982, 3.141593, -3.141593],
    },
  ],
});

/**
 * √(x² + y²) without overflow; ∞ where one is ±∞, even beside NaN.
 *
 * ```ts
 * hypot(tensor([3, NaN]), tensor([4, Infinity])).toArray() // => [5, Infinity]
 * ```
 */
export const hypot = defineOp({
  ...floatBinary,
  name: 'hypot',
  doc: '√(x² + y²) without overflow.',
  expr: s.hypot,
  vjp: (dy, [x, y], z, g) => [x, y].map((each) => g.mulNoNan(dy, g.where(g.equal(z, 0), 0, g.div(each, z)))),
  examples: [
    {
      inputs: [
        [3, NaN],
        [4, Infinity],
      ],
      output: [5, Infinity],
    },
  ],
});

/**
 * ln(eˣ + eʸ) without overflow; −∞ is the neutral element.
 *
 * ```ts
 * logaddexp(tensor([0, 1000, -Infinity]), tensor([0, 1000, -Infinity])).toArray() // => [0.6931472, 1000.693, -Infinity]
 * ```
 */
export const logaddexp = defineOp({
  ...floatBinary,
  name: 'logaddexp',
  aliases: ['log_add_exp', 'logAddExp'],
  doc: 'ln(eˣ + eʸ) = max(x, y) + ln(1 + e^(−|x − y|)).',
  expr: (x, y) => s.select(s.eq(x, y), s.add(x, Math.LN2), s.add(s.max(x, y), s.log1p(s.exp(s.neg(s.abs(s.sub(x, y))))))),
  vjp: (dy, [x, y], _z, g) => {
    const even = g.equal(x, y); // also of infinities, whose difference is NaN
    const share = g.where(even, 0.5, g.sigmoid(g.sub(x, y)));
    return [g.mulNoNan(dy, share), g.mulNoNan(dy, g.sub(1, share))];
  },
  examples: [
    {
      inputs: [
        [0, 1000, -Infinity],
        [0, 1000, -Infinity],
      ],
      output: [0.6931472, 1000.693, -Infinity],
    },
  ],
});
