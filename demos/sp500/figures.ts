/**
 * @file Small figures for a terminal.
 */

const BLOCKS = '▁▂▃▄▅▆▇█';

/** The highest value of each of `width` parts, as one line of blocks. */
export function sparkline(values: readonly number[], width: number): string {
  const peaks = Array.from({ length: width }, (_, i) => {
    const part = values.slice(Math.floor((i * values.length) / width), Math.floor(((i + 1) * values.length) / width));
    return part.reduce((most, value) => Math.max(most, value), 0);
  });
  const most = Math.max(...peaks);
  return peaks.map((peak) => BLOCKS[Math.min(BLOCKS.length - 1, Math.floor((BLOCKS.length * peak) / most))]).join('');
}

/** The smallest of the sorted values that `share` percent do not exceed. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil((sorted.length * share) / 100) - 1)];
