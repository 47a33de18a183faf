/**
 * @file The clock of what is measured.
 */
import { fault } from '../errors/index.js';

/** Where milliseconds come from. */
export interface ClockOptions {
  /** Milliseconds, never running back; `performance.now` by default. */
  readonly clock?: () => number;
}

/** @throws EinstreamError E_ARGUMENT */
export function clockOf({ clock = () => performance.now() }: ClockOptions): () => number {
  if (typeof clock === 'function') return clock;
  throw fault('E_ARGUMENT', { place: 'clock', rule: 'it is a function that gives milliseconds', actual: typeof clock });
}
