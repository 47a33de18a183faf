/**
 * @file Powers: IEEE 754 on floats, modulo 2³² on integers.
 */

/** C's pow. JavaScript's differs where the base is ±1: 1**NaN = 1 and (±1)**±∞ = 1. */
export function pow(x: number, y: number): number {
  if (x === 1 || (x === -1 && Math.abs(y) === Infinity)) return 1;
  return x ** y;
}

/** x**y modulo 2³². A negative power of an integer is its reciprocal, truncated when stored: 0, except for ±1. */
export function integerPow(x: number, y: number): number {
  if (!Number.isInteger(x) || !Number.isInteger(y) || y < 0) return pow(x, y);
  let result = 1;
  let square = x | 0;
  for (let rest = y; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = Math.imul(result, square);
    square = Math.imul(square, square);
  }
  return result;
}
