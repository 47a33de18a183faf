/**
 * @file The floored remainder.
 */

/**
 * NumPy's `mod`: x − ⌊x/y⌋·y, with the sign of the divisor, also when it is zero. NaN for y = 0 and for infinite x.
 * A finite x with an infinite y of the other sign gives y.
 */
export function floorMod(x: number, y: number): number {
  const remainder = x % y;
  if (remainder === 0) return y < 0 ? -0 : 0;
  return y < 0 !== remainder < 0 && !Number.isNaN(remainder) ? remainder + y : remainder;
}
