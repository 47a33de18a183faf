/**
 * @file Which free range a request takes: best fit, first fit, exact fit, and sizes rounded to powers of two.
 */

/** Bytes from `offset` on. */
export interface ByteRange {
  readonly offset: number;
  readonly bytes: number;
}

/** How ranges are chosen. */
export interface Fit {
  readonly name: 'bestFit' | 'firstFit' | 'exactFit' | 'powerOfTwo';
  /** What a request takes, at least what it asks for. */
  readonly sized: (bytes: number) => number;
  /** Index among free ranges, which are in order of their offsets; −1 where none will do. */
  readonly choose: (free: readonly ByteRange[], bytes: number) => number;
}

const asAsked = (bytes: number): number => bytes;

/** The smallest range that holds it; of equal ones the lowest. */
function smallest(free: readonly ByteRange[], bytes: number): number {
  let best = -1;
  for (let k = 0; k < free.length; k++) {
    const held = free[k].bytes;
    if (held === bytes) return k;
    if (held > bytes && (best < 0 || held < free[best].bytes)) best = k;
  }
  return best;
}

/** The smallest free range that is large enough. */
export const bestFit: Fit = { name: 'bestFit', sized: asAsked, choose: smallest };

/** The free range with the lowest offset that is large enough. */
export const firstFit: Fit = {
  name: 'firstFit',
  sized: asAsked,
  choose: (free, bytes) => free.findIndex((range) => range.bytes >= bytes),
};

/** Only a free range of exactly this size: nothing is ever cut. */
export const exactFit: Fit = {
  name: 'exactFit',
  sized: asAsked,
  choose: (free, bytes) => free.findIndex((range) => range.bytes === bytes),
};

/** Smallest of the sizes that requests are rounded to. */
const SMALLEST = 64;

/**
 * Sizes are rounded up to one of `buckets` powers of two from 64 bytes on, so that few sizes are many times the same; what is
 * larger than the last stays as it is.
 */
export function powerOfTwo(buckets = 16): Fit {
  const largest = SMALLEST * 2 ** (buckets - 1);
  return {
    name: 'powerOfTwo',
    sized: (bytes) => (bytes > largest ? bytes : Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(bytes)))),
    choose: smallest,
  };
}
