/**
 * @file Numbers to places, and numbers to words.
 */

/** A linear map from the domain to the range. */
export const linear = ([from, to]: readonly [number, number], [start, end]: readonly [number, number]) => {
  const slope = to === from ? 0 : (end - start) / (to - from);
  return (value: number): number => start + (value - from) * slope;
};

/** About `count` round numbers between the ends: multiples of 1, 2 or 5 times a power of ten. */
export function ticks([from, to]: readonly [number, number], count: number): readonly number[] {
  if (!(to > from)) return [];
  const rough = (to - from) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough)!;
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, k) => (first + k) * step);
}

/** The least and the greatest, with some air around them. NaN is no number to make room for. */
export function extent(values: Iterable<number>, air = 0.08): readonly [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (!(most >= least)) return [0, 1];
  const room = (most - least || Math.abs(most) || 1) * air;
  return [least - room, most + room];
}

/** The smallest of the values that `share` percent do not exceed; NaN where there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * share) / 100) - 1)] ?? NaN;
}

const [SMALL, LARGE] = [1e-3, 1e4];

/** A number in three digits, or so. */
export function brief(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size >= SMALL && size < LARGE) return value.toLocaleString('en', { maximumSignificantDigits: 3 });
  const [digits, power] = value.toExponential(1).split('e');
  return `${digits} · 10${[...String(Number(power))].map((sign) => '⁰¹²³⁴⁵⁶⁷⁸⁹⁻'['0123456789-'.indexOf(sign)]).join('')}`;
}

export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
