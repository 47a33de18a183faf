/**
 * @file Numbers with units, for people. What is not a number ≥ 0 is said to be unknown: a report must not fail.
 */

/** At most two decimals, none that say nothing. */
const short = (value: number): string => String(Number(value.toFixed(2)));

const isAmount = (value: number): boolean => typeof value === 'number' && value >= 0;

const BYTES = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] as const;

/**
 * Bytes in binary units.
 *
 * ```ts
 * humanBytes(1024 * 1024 * 1024) // => '1 GiB'
 * humanBytes(1) // => '1 byte'
 * ```
 */
export function humanBytes(bytes: number): string {
  if (!isAmount(bytes)) return 'an unknown amount';
  if (bytes === 1) return '1 byte';
  let value = bytes;
  let unit = 0;
  // What would round to 1024 of a unit is 1 of the next.
  while (Number(value.toFixed(2)) >= 1024 && unit < BYTES.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${short(value)} ${BYTES[unit]}`;
}

/**
 * Milliseconds, as µs below one and as s from a thousand.
 *
 * ```ts
 * humanMs(150) // => '150 ms'
 * humanMs(1500) // => '1.5 s'
 * ```
 */
export function humanMs(ms: number): string {
  if (!isAmount(ms)) return 'an unknown time';
  if (ms >= 1_000) return `${short(ms / 1_000)} s`;
  return ms > 0 && ms < 1 ? `${short(ms * 1_000)} µs` : `${short(ms)} ms`;
}

/** How many times `whole` goes into `part`, as `3.00x`. */
export const ratio = (part: number, whole: number): string =>
  isAmount(part) && whole > 0 && Number.isFinite(part / whole) ? `${(part / whole).toFixed(2)}x` : 'many times';
