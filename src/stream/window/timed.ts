/**
 * @file Streams in event time: records with the time at which they happened, and what is known of the time to come.
 */
import { describeValue, fault, type EinstreamError } from '../../errors/index.js';

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

/** @throws EinstreamError E_ARGUMENT naming the option that is no duration */
export function readDuration(place: string, name: string, value: unknown, least: 'positive' | 'zero' = 'zero'): number {
  if (typeof value === 'number' && value < Infinity && (least === 'zero' ? value >= 0 : value > 0)) return value;
  throw fault('E_ARGUMENT', {
    place,
    rule: `${name} must be a number of milliseconds ${least === 'zero' ? '≥ 0' : 'above 0'}`,
    actual: describeValue(value),
  });
}

/** @throws EinstreamError E_ARGUMENT */
export function checkFunction(place: string, name: string, value: unknown): void {
  if (typeof value !== 'function')
    throw fault('E_ARGUMENT', { place, rule: `${name} must be a function`, actual: describeValue(value) });
}

/** @throws EinstreamError E_ARGUMENT for an option that there is not */
export function checkKnown(place: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw fault('E_ARGUMENT', {
      place,
      rule: `option ${JSON.stringify(unknown.slice(0, 40))} is unknown`,
      expected: known.join(', '),
    });
}

export const wrongState = (place: string, rule: string, expected?: string, actual?: string): EinstreamError =>
  fault('E_ARGUMENT', { place, rule, expected, actual, hint: 'resume with the state of the same operator and options' });
