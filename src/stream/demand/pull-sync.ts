/**
 * @file Pulling an iterator that answers at once.
 */
import type { Outlet, Producer } from './outlet.js';

export function pullSync<T>(source: Iterable<T>, out: Outlet<T>): Producer {
  let iterator: Iterator<T> | undefined;
  let isPulling = false;
  const letGo = (): void => void iterator?.return?.();
  return {
    step() {
      if (out.credits() === 0) return false;
      let result: IteratorResult<T>;
      isPulling = true;
      try {
        iterator ??= source[Symbol.iterator]();
        result = iterator.next();
      } catch (error) {
        out.error(error);
        return false;
      } finally {
        isPulling = false;
      }
      // The source's own code may have cancelled: a generator that runs cannot be told to return.
      if (!out.isOpen()) letGo();
      else if (result.done === true) out.complete();
      else out.next(result.value);
      return true;
    },
    stop() {
      if (!isPulling) letGo();
    },
  };
}
