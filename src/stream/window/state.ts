/**
 * @file What windows remember, as an immutable value of plain data.
 */
import { describeValue } from '../../errors/index.js';
import type { Shape } from './kind.js';
import { EARLIEST, wrongState } from './timed.js';

/** A stretch of event time [start, end) in milliseconds since the epoch; of a count window, numbers of records. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A window that may still be told. */
export interface OpenWindow<T, K> extends Span {
  readonly key: K;
  /** In the order of `values`. */
  readonly times: readonly number[];
  readonly values: readonly T[];
  /** As what it was told before. */
  readonly told: readonly Span[];
  /** It holds records that were not told. */
  readonly isNew: boolean;
}

/** All that `window` is between two items: what JSON can hold, if keys and values are that. */
export interface WindowState<T, K> {
  /** Kind and sizes, as plain data: a state goes on with the same ones alone. */
  readonly of: unknown;
  readonly watermark: number;
  /** In the order in which they were opened. */
  readonly windows: readonly OpenWindow<T, K>[];
}

export const emptyState = <T, K>(of: Shape): WindowState<T, K> => ({ of, watermark: EARLIEST, windows: [] });

/** @throws EinstreamError E_ARGUMENT for the state of other windows */
export function checkState<T, K>(state: WindowState<T, K> | undefined, of: Shape): WindowState<T, K> {
  if (state === undefined) return emptyState(of);
  const [expected, actual] = [JSON.stringify(of), JSON.stringify(state?.of)];
  if (expected !== actual) throw wrongState('window', 'a state goes on with the windows that it was read from', expected, actual);
  if (typeof state.watermark !== 'number' || !Array.isArray(state.windows))
    throw wrongState('window', 'a state has a watermark and windows', undefined, describeValue(state));
  return state;
}
