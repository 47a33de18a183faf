/**
 * @file Streams in event time: records with the time at which they happened, and what is known of the time to come.
 */
import { fault, type EinstreamError } from '../../errors/index.js';

/**
 * What goes through a stream in event time. Times are milliseconds since the epoch.
 *
 * A watermark says that no record at or before its time is expected any more. An input that is idle says nothing of time until
 * its next record.
 */
export type Timed<T> =
  | { readonly kind: 'record'; readonly time: number; readonly value: T }
  | { readonly kind: 'watermark'; readonly time: number }
  | { readonly kind: 'idle' };

/** Before and after all times, yet numbers that JSON can hold: what a state keeps instead of the infinities. */
export const EARLIEST = -Number.MAX_VALUE;
export const LATEST = Number.MAX_VALUE;

export const asKept = (time: number): number => Math.min(LATEST, Math.max(EARLIEST, time));

export const wrongState = (place: string, rule: string, expected?: string, actual?: string): EinstreamError =>
  fault('E_ARGUMENT', { place, rule, expected, actual, hint: 'resume with the state of the same operator and options' });
