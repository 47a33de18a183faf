/**
 * @file One item at a time from what can be iterated, at once or later.
 */
import { fault, describeValue } from '../../errors/index.js';
import { isLater } from './eventually.js';

export interface Pulled<T> {
  /** Asks for the next item. `taken` hears of it before this returns where the source answers at once. */
  pull(taken: (item: T) => void, ended: () => void, failed: (error: unknown) => void): void;
  /** Lets the source go; a promise is that of its own `return`. */
  stop(): unknown;
}

/** @throws EinstreamError E_ARGUMENT for what cannot be iterated */
export function pulled<T>(source: Iterable<T> | AsyncIterable<T>): Pulled<T> {
  const iterator = iteratorOf(source);
  let isOver = false;
  return {
    pull(taken, ended, failed) {
      const told = ({ done, value }: IteratorResult<T>) => {
        if (done !== true) return taken(value);
        isOver = true;
        ended();
      };
      let result: IteratorResult<T> | Promise<IteratorResult<T>>;
      try {
        result = iterator.next();
      } catch (error) {
        isOver = true;
        return failed(error);
      }
      if (!isLater(result)) return told(result);
      result.then(told, (error: unknown) => {
        isOver = true;
        failed(error);
      });
    },
    stop() {
      if (isOver) return undefined;
      isOver = true;
      return iterator.return?.();
    },
  };
}

function iteratorOf<T>(source: Iterable<T> | AsyncIterable<T>): Iterator<T> | AsyncIterator<T> {
  const each = source as Partial<Iterable<T> & AsyncIterable<T>> | null | undefined;
  if (typeof each?.[Symbol.asyncIterator] === 'function') return each[Symbol.asyncIterator]!();
  if (typeof each?.[Symbol.iterator] === 'function') return each[Symbol.iterator]!();
  throw fault('E_ARGUMENT', {
    place: 'source',
    rule: 'the source of a job is iterated, so that it waits where the job does',
    actual: describeValue(source),
    hint: 'return an Iterable or an AsyncIterable from the position on',
  });
}
