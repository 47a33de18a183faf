/**
 * @file What a mode may ask of its kernels beside being right.
 */

/** How sums of products are written for a mode. */
export interface GpuForm {
  /** Elements of a result from which on a thread computes four of them, side by side; below, threads would be too few. */
  readonly tilesFrom: number;
  /** Terms that one turn of a loop adds. */
  readonly unroll: number;
}

/** One element a thread, one term a turn: what every mode can compute. */
export const PLAIN_FORM: GpuForm = { tilesFrom: Infinity, unroll: 1 };
