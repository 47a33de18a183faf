/**
 * @file Slopes by finite differences, and what to think of one that is not what was expected.
 */
import type { CheckSettings, DifferenceMethod } from './options.js';
import { relativeError } from './report.js';

/** How much a function's value at `x + a` is above that at `x + b`. */
export type Difference = (a: number, b: number) => number;

const central = (difference: Difference, h: number): number => difference(h, -h) / (2 * h);

const METHODS: Readonly<Record<DifferenceMethod, (difference: Difference, h: number) => number>> = {
  forward: (difference, h) => difference(h, 0) / h,
  central,
  fourthOrder: (difference, h) => (8 * difference(h, -h) - difference(2 * h, -2 * h)) / (12 * h),
  richardson: (difference, h) => (4 * central(difference, h / 2) - central(difference, h)) / 3,
};

/** `same`: they agree. `apart`: they do not. `kink`: the function has no one slope there. */
export interface Verdict {
  readonly is: 'same' | 'apart' | 'kink';
  readonly numeric: number;
}

/** Steps to try where the first one's estimate is off: a kink that lies within a step is left behind by a smaller one. */
const SMALLER = [1 / 16, 1 / 256];

/** Whether `analytic` is the slope at `x`. A function that bends or jumps there has none, and is not held against the gradient. */
export function judge(analytic: number, x: number, difference: Difference, { method, eps, rel, abs }: CheckSettings): Verdict {
  const first = power(eps * Math.max(1, Math.abs(x)));
  const isClose = (a: number, b: number, slack = 1) => relativeError(a, b, abs / rel) <= slack * rel;
  const tried = METHODS[method](difference, first);
  if (isClose(analytic, tried)) return { is: 'same', numeric: tried };
  if (Number.isNaN(tried)) return { is: 'kink', numeric: tried };
  let numeric = tried;
  for (const part of SMALLER) {
    numeric = central(difference, first * part);
    if (isClose(analytic, numeric)) return { is: 'same', numeric };
  }
  const h = first * SMALLER.at(-1)!;
  const [left, right] = [difference(0, -h) / h, difference(h, 0) / h];
  const isJump = Math.abs(numeric) > 4 * Math.max(abs, Math.abs(tried));
  return isJump || !isClose(left, right, 10) ? { is: 'kink', numeric } : { is: 'apart', numeric: tried };
}

/** The next power of two below: x + h − x is then h, but for the digits that x has beyond it. */
const power = (h: number): number => 2 ** Math.floor(Math.log2(h));
