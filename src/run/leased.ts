/**
 * @file `leased`: tensors of a pool for the time of one subscription.
 */
import { from, Observable, type ObservableInput } from 'rxjs';
import { fault } from '../errors/index.js';
import type { MemoryPool } from '../plan/memory-pool.js';
import type { Tensor } from '../tensor/tensor.js';

/**
 * What `work` gives, with tensors of a pool that it may ask for while it is subscribed to: all of them go back when it completes,
 * fails or is unsubscribed from, and are E_STALE from then on.
 *
 * ```ts
 * const pool = memoryPool();
 * leased(pool, (lend) => of(lend([2], 'float32', { zeroed: true }).toArray())) // => [[0, 0]]
 * ```
 *
 * @param work called for each subscription; `lend` is the pool's `allocate`, and E_STALE after the end
 * @returns a stream that fails with E_CONSUMER where `work` itself throws
 */
export function leased<T>(pool: MemoryPool, work: (lend: MemoryPool['allocate']) => ObservableInput<T>): Observable<T> {
  return new Observable((subscriber) => {
    const lent: Tensor[] = [];
    let isOver = false;
    subscriber.add(() => {
      isOver = true;
      // What was given back before its time is not given back again.
      for (const tensor of lent) if (!tensor.buffer.retired) pool.deallocate(tensor);
    });
    const lend: MemoryPool['allocate'] = (...request) => {
      if (isOver)
        throw fault('E_STALE', {
          place: 'leased',
          rule: 'tensors are lent while the stream that asks for them is subscribed to',
        });
      const tensor = pool.allocate(...request);
      lent.push(tensor);
      return tensor;
    };
    let items$: Observable<T>;
    try {
      items$ = from(work(lend));
    } catch (cause) {
      return subscriber.error(
        fault('E_CONSUMER', {
          place: 'leased',
          rule: 'the function that gives the stream must not throw',
          actual: cause instanceof Error ? cause.message : String(cause),
          cause,
        }),
      );
    }
    items$.subscribe(subscriber);
  });
}
