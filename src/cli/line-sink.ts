/**
 * @file Lines to a stream, written in batches: one write is under way at any time, so a slow reader slows us down.
 */
import type { Writable } from 'node:stream';

export interface LineSink {
  write(line: string): void;
  /** True when enough is waiting: flush before writing more. */
  isFull(): boolean;
  /** Resolves when the stream has taken everything; rejects with the stream's own error. */
  flush(): Promise<void>;
}

/** UTF-16 units that wait before a flush is due. */
const BATCH = 65_536;

export function lineSink(stream: Writable): LineSink {
  let waiting: string[] = [];
  let length = 0;
  return {
    write(line) {
      waiting.push(line, '\n');
      length += line.length + 1;
    },
    isFull: () => length >= BATCH,
    async flush() {
      // Each piece apart where one line is huge: the longest string has a bound.
      const pieces = length < 2 * BATCH ? [waiting.join('')] : waiting;
      const isEmpty = length === 0;
      waiting = [];
      length = 0;
      if (!isEmpty) for (const piece of pieces) await written(stream, piece);
    },
  };
}

/** Hands text over, and waits until there is room for more. */
const written = (stream: Writable, text: string): Promise<void> =>
  new Promise((resolve, reject) => stream.write(text, (error) => (error ? reject(error) : resolve())));

/** Writes a text that is complete in itself. */
export const writeText = (stream: Writable, text: string): Promise<void> =>
  text === '' ? Promise.resolve() : written(stream, text);

/** A failure of a stream or file, not of our code. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'syscall' in error;

/** Nobody reads any more: `head` has seen enough. */
export const isBrokenPipe = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
