/**
 * @file What the engines of all kinds of windows have in common.
 */
import { fault, type EinstreamError } from '../../errors/index.js';
import type { Shape } from './kind.js';
import type { Span, WindowState } from './state.js';

/** A window whose time is over, with its records: in the order of their times; of a count window, in that of arrival. */
export interface Windowed<T, K = undefined> extends Span {
  readonly key: K;
  readonly values: readonly T[];
  /** What was told before and this takes the place of: the same window before late records came, or sessions that these joined. */
  readonly replaces: readonly Span[];
}

/** A record that came after windows of it were closed. */
export interface Late<T, K = undefined> {
  readonly key: K;
  readonly time: number;
  readonly value: T;
  /** The windows that are without it; of hopping windows, not always all that it belongs to. */
  readonly missed: readonly Span[];
  readonly watermark: number;
}

/** Where an engine tells what comes of a record or watermark. */
export interface Told<T, K> {
  readonly window: (window: Windowed<T, K>) => void;
  readonly late: (late: Late<T, K>) => void;
  /** False once nobody listens. */
  readonly isOpen: () => boolean;
}

export interface Engine<T, K> {
  /** @throws EinstreamError E_LIMIT for one window too many */
  readonly record: (key: K, time: number, value: T) => void;
  /** Also to the watermark that it has: tells what a state still had to tell. */
  readonly advance: (watermark: number) => void;
  readonly read: () => WindowState<T, K>;
}

export interface EngineOptions<T, K, S extends Shape = Shape> {
  readonly of: S;
  readonly latenessMs: number;
  readonly maxWindows: number;
  readonly from: WindowState<T, K>;
  readonly told: Told<T, K>;
}

export const tooMany = (maxWindows: number): EinstreamError =>
  fault('E_LIMIT', {
    place: 'window',
    rule: 'no more windows may be open than is allowed',
    expected: `at most ${maxWindows}`,
    hint: 'a watermark closes windows; raise maxWindows, or use fewer keys',
  });
