/**
 * @file Pulling a source that answers later: one question at a time, its answer kept until the sink may have it.
 */
import type { Outlet, Producer } from './outlet.js';

/** What `pulled` takes. Node's Readable is an AsyncIterable. */
export type Pullable<T> = Iterable<T> | AsyncIterable<T> | ReadableStream<T>;

/** One reading of a source. */
export interface Reader<T> {
  readonly read: () => Promise<IteratorResult<T> | ReadableStreamReadResult<T>>;
  /** Lets go of the source before its end. */
  readonly close: () => unknown;
}

/** How a source that answers later is read; undefined for any other. */
export function readerOf<T>(source: unknown): (() => Reader<T>) | undefined {
  if (typeof source !== 'object' || source === null) return undefined;
  if (typeof (source as ReadableStream<T>).getReader === 'function') return () => webReader(source as ReadableStream<T>);
  if (typeof (source as AsyncIterable<T>)[Symbol.asyncIterator] === 'function')
    return () => iteratorReader(source as AsyncIterable<T> & Partial<Destroyable>);
  return undefined;
}

function webReader<T>(source: ReadableStream<T>): Reader<T> {
  const reader = source.getReader();
  return { read: () => reader.read(), close: () => reader.cancel().finally(() => reader.releaseLock()) };
}

/** Node's Readable. Its iterator would return only when the read that is under way is over, which may be never. */
interface Destroyable {
  readonly destroy: () => unknown;
}

function iteratorReader<T>(source: AsyncIterable<T> & Partial<Destroyable>): Reader<T> {
  const iterator = source[Symbol.asyncIterator]();
  const { destroy } = source;
  return {
    read: () => iterator.next(),
    close: () => (typeof destroy === 'function' ? void destroy.call(source) : iterator.return?.()),
  };
}

/** @param wait hears what closing gave, which may be a promise */
export function pullAsync<T>(open: () => Reader<T>, out: Outlet<T>, wait: (closing: unknown) => void): Producer {
  let reader: Reader<T> | undefined;
  let isPulling = false;
  let answer: { readonly tell: () => void } | undefined;
  const answered = (tell: () => void): void => {
    isPulling = false;
    answer = { tell };
    out.pump();
  };
  const arrived = (result: IteratorResult<T> | ReadableStreamReadResult<T>): void =>
    answered(() => (result.done === true ? out.complete() : out.next(result.value)));
  const failed = (error: unknown): void => answered(() => out.error(error));
  return {
    step() {
      if (answer !== undefined) {
        const { tell } = answer;
        answer = undefined;
        tell();
        return true;
      }
      if (isPulling || out.credits() === 0) return false;
      isPulling = true;
      try {
        reader ??= open();
        Promise.resolve(reader.read()).then(arrived, failed);
      } catch (error) {
        out.error(error);
      }
      return false;
    },
    stop() {
      answer = undefined;
      if (reader !== undefined) wait(reader.close());
    },
  };
}
