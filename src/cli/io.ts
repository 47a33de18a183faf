/**
 * @file What a command may touch of the world: three streams, a clock, and signals. A process is one; specs bring their own.
 */
import type { Readable, Writable } from 'node:stream';
import type { Observable, SchedulerLike } from 'rxjs';

/** Asks a command to stop. */
export type Signal = 'SIGINT' | 'SIGTERM';

export interface Io {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** Signals while somebody listens; by default none comes. */
  readonly signals$?: Observable<Signal>;
  /** Of all timers; `asyncScheduler` by default. */
  readonly scheduler?: SchedulerLike;
  /** Milliseconds, of measurements; `performance.now` by default. */
  readonly clock?: () => number;
}

/** A command: its arguments and streams to an exit code. It throws E_ARGUMENT for what was called wrongly. */
export type Command = (args: readonly string[], io: Io) => Promise<number>;

/** 0 all went well, 1 something is wrong with what was read, 2 the call itself was wrong. */
export const EXIT = Object.freeze({ ok: 0, failed: 1, usage: 2 });

/** A signal stopped it, as shells say that: 128 and the number of the signal. */
export const exitOf = (signal: Signal): number => (signal === 'SIGINT' ? 130 : 143);
