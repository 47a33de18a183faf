/**
 * @file What the page's data files hold: shared by the build, which writes them, and the page, which reads them.
 */

/** Handwritten digits: for each digit from 0 those to learn from, then those held out; a byte for each pixel, by rows. */
export const DIGITS = { file: 'digits.bin', side: 28, learned: 200, heldOut: 50 } as const;

/** The S&P 500, day by day. */
export const PRICES = { file: 'sp500.json' } as const;

export interface Prices {
  /** As `2008-09-29`. */
  readonly dates: readonly string[];
  /** US dollars. */
  readonly closes: readonly number[];
}
