/**
 * @file What a command may touch of the world: three streams. A process is one; specs bring their own.
 */
import type { Readable, Writable } from 'node:stream';

export interface Io {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** A command: its arguments and streams to an exit code. It throws E_ARGUMENT for what was called wrongly. */
export type Command = (args: readonly string[], io: Io) => Promise<number>;

/** 0 all went well, 1 something is wrong with what was read, 2 the call itself was wrong. */
export const EXIT = Object.freeze({ ok: 0, failed: 1, usage: 2 });
