/**
 * @file What becomes of lines on their way: read, put together, computed, told.
 */
import type { Feeds, Outputs } from '../run/index.js';
import type { Span } from '../stream/window/state.js';

/** A line of feeds, read: its feeds, or what is wrong with it. */
export interface FedLine {
  /** From 1. */
  readonly line: number;
  /** As it came: a view of what was read, to be looked at before the next line. Undefined for a line over the limit. */
  readonly text: Uint8Array | undefined;
  readonly feeds?: Feeds;
  /** Milliseconds since the epoch, where windows need it. */
  readonly time?: number;
  readonly error?: unknown;
}

/** What is computed at once, a line or a window of lines; or what is told in its place: an error, or a line that came late. */
export interface Unit {
  readonly first: number;
  readonly last: number;
  /** Of a window. */
  readonly span?: Span;
  readonly feeds?: Feeds;
  readonly error?: unknown;
  readonly late?: string;
}

/** A unit with its outputs, or with an error of its own. */
export interface Answer {
  readonly unit: Unit;
  readonly outputs?: Outputs;
  readonly error?: unknown;
}

/** A line that is written, and where. */
export interface Told {
  readonly to: 'out' | 'late' | 'error';
  readonly text: string;
}
