/**
 * @file `toReadableStream`: a flow for the web's streams, such as the body of a response.
 */
import type { Flow } from './flow.js';
import { inlet, openInto } from './inlet.js';

/**
 * A ReadableStream of a flow: each `read()` asks for one item; the stream itself holds none (its high-water mark is 0). Cancelling it
 * cancels the flow. The flow is opened by the first read.
 *
 * ```ts
 * const reader = toReadableStream(pulled([1, 2])).getReader();
 * await reader.read() // => { done: false, value: 1 }
 * ```
 */
export function toReadableStream<T>(flow: Flow<T>): ReadableStream<T> {
  let isOpened = false;
  /** Ends the `pull` under way: the stream calls the next one when this is over, so that a read is one credit. */
  let answered: (() => void) | undefined;
  let controller!: ReadableStreamDefaultController<T>;
  const answer = (): void => {
    answered?.();
    answered = undefined;
  };
  const from = inlet<T>({
    next(value) {
      controller.enqueue(value);
      answer();
    },
    error(error) {
      controller.error(error);
      answer();
    },
    complete() {
      controller.close();
      answer();
    },
  });
  return new ReadableStream<T>(
    {
      start: (given) => void (controller = given),
      pull: () =>
        new Promise<void>((resolve) => {
          answered = resolve;
          from.grant(1);
          if (isOpened) return;
          isOpened = true;
          openInto(flow, from);
        }),
      cancel() {
        from.cancel();
        answer();
      },
    },
    { highWaterMark: 0 },
  );
}
