/**
 * @file Lines to a stream as a sink of a job: written when there are enough of them, and before the program waits for anything else.
 */
import type { Writable } from 'node:stream';
import { Subject, type Observable } from 'rxjs';
import type { CommittingSink } from '../stream/checkpoint/sink.js';
import { lineSink } from './line-sink.js';

export interface TextSink extends CommittingSink<string> {
  /** Errors when the stream does, with the stream's own error, also between two writes. */
  readonly failed$: Observable<never>;
}

/**
 * What is committed was taken by the stream: a stream cannot go back, so after a crash lines may come again.
 *
 * @param before called before each batch
 */
export function textSink(stream: Writable, before: () => void = () => undefined): TextSink {
  const lines = lineSink(stream);
  const failed$ = new Subject<never>();
  let isDue = false;
  let isEmpty = true;
  const flush = async (): Promise<void> => {
    if (!isEmpty) before();
    isEmpty = true;
    try {
      await lines.flush();
    } catch (error) {
      failed$.error(error);
      throw error;
    }
  };
  return {
    failed$,
    open: () => undefined,
    write(text) {
      lines.write(text);
      isEmpty = false;
      if (lines.isFull()) return flush();
      if (isDue) return;
      isDue = true;
      // Behind the lines of a chunk that has come: they go together, and nobody who waits for an answer waits for more.
      setImmediate(() => {
        isDue = false;
        flush().catch(() => undefined);
      });
    },
    commit: flush,
    close: flush,
  };
}
