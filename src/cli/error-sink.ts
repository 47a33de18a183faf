/**
 * @file Lines for people, on the standard error: where nobody reads them any more, the run goes on.
 */
import type { Writable } from 'node:stream';
import { textSink } from './text-sink.js';

export interface ErrorSink {
  readonly write: (line: string) => void;
  /** A promise while enough is waiting: whoever writes more waits. */
  readonly room: () => PromiseLike<void> | undefined;
  readonly flush: () => Promise<void>;
}

/** @param before called before a batch of lines is written, to make room on a terminal */
export function errorSink(stream: Writable, before: () => void): ErrorSink {
  const sink = textSink(stream, before);
  let full: PromiseLike<void> | undefined;
  return {
    write(line) {
      const written = sink.write(line, 0);
      if (written === undefined) return;
      const taken = (): void => {
        if (full === waiting) full = undefined;
      };
      const waiting: PromiseLike<void> = Promise.resolve(written).then(taken, taken);
      full = waiting;
    },
    room: () => full,
    flush: async () => {
      try {
        await sink.commit();
      } catch {
        // Nobody hears of errors any more; the outputs still count.
      }
    },
  };
}
