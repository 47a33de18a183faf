/** @file How the days of the S&P 500 are late in specs: most up to three days, some up to a month. */
export const DELAYS = { usual: 3, share: 0.05, most: 30, seed: 1987 };
