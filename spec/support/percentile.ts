/**
 * @file Percentiles of what was measured, for reports.
 */

/** The smallest value that `share` of all are at most, to a tenth; NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1));
  return Number((sorted[at] ?? NaN).toFixed(1));
}
