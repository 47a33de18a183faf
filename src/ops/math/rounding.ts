/**
 * @file Rounding half to even.
 */

const TWO_52 = 2 ** 52;

/** Nearest integer, halves to even; keeps the sign of zero. Adding 2⁵² lets the hardware's own rounding decide. */
export function roundHalfEven(x: number): number {
  const a = Math.abs(x);
  if (!(a < TWO_52)) return x;
  const rounded = a + TWO_52 - TWO_52;
  return x < 0 || Object.is(x, -0) ? -rounded : rounded;
}
