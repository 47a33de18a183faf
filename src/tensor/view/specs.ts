/**
 * @file What one item of a slice may be: plain frozen records, so that graphs can hold and save them.
 */

/** One element of an axis; the axis goes. */
export interface AtSpec {
  readonly kind: 'at';
  readonly index: number;
}

/** Elements from `start` up to but without `stop`, every `step`-th; null is the end that the step comes from or goes to. */
export interface RangeSpec {
  readonly kind: 'range';
  readonly start: number | null;
  readonly stop: number | null;
  readonly step: number;
}

/** A new axis of size 1. */
export interface NewAxisSpec {
  readonly kind: 'newaxis';
}

/** The axes that are left over. */
export interface EllipsisSpec {
  readonly kind: 'ellipsis';
}

/** What `slice` takes for each axis; `null` is the whole axis. */
export type SliceSpec = null | AtSpec | RangeSpec | NewAxisSpec | EllipsisSpec;

/**
 * One element of an axis, from the end where negative; the axis is dropped.
 *
 * ```ts
 * slice(tensor([[1, 2], [3, 4]]), at(-1)).toArray() // => [3, 4]
 * ```
 */
export const at = (index: number): AtSpec => Object.freeze({ kind: 'at', index });

/**
 * A part of an axis, as Python's `start:stop:step`: negative ends count from the end, ends outside are clamped.
 *
 * ```ts
 * slice(arange(10), range(2, null, 3)).toArray() // => [2, 5, 8]
 * slice(arange(10), range(null, -4, -1)).toArray() // => [9, 8, 7]
 * ```
 */
export const range = (start: number | null, stop: number | null, step = 1): RangeSpec =>
  Object.freeze({ kind: 'range', start, stop, step });

/**
 * Every `step`-th element of an axis; from the end where negative.
 *
 * ```ts
 * slice(arange(5), stride(2)).toArray() // => [0, 2, 4]
 * ```
 */
export const stride = (step: number): RangeSpec => range(null, null, step);

/**
 * The axis backwards.
 *
 * ```ts
 * slice(tensor([1, 2, 3]), reversed).toArray() // => [3, 2, 1]
 * ```
 */
export const reversed: RangeSpec = range(null, null, -1);

/**
 * A new axis of size 1 at this place.
 *
 * ```ts
 * slice(tensor([1, 2]), newaxis).shape // => [1, 2]
 * ```
 */
export const newaxis: NewAxisSpec = Object.freeze({ kind: 'newaxis' });

/**
 * As many whole axes as are left over; once in a slice.
 *
 * ```ts
 * slice(tensor([[1, 2], [3, 4]]), ellipsis, at(0)).toArray() // => [1, 3]
 * ```
 */
export const ellipsis: EllipsisSpec = Object.freeze({ kind: 'ellipsis' });
