/**
 * @file Room for what waits: bounded in items and in bytes, and shared by all that wait in one pool.
 */
import { fault, humanBytes, type EinstreamError } from '../../errors/index.js';

export interface Room {
  /** Takes a place, or gives the error that says why there is none. */
  readonly take: (bytes: number) => EinstreamError | undefined;
  readonly give: (bytes: number) => void;
  readonly items: () => number;
  readonly bytes: () => number;
}

export function roomFor(maxItems: number, maxBytes: number): Room {
  let [items, held] = [0, 0];
  return {
    take(bytes) {
      if (items + 1 > maxItems || held + bytes > maxBytes) return full(items, held + bytes);
      items++;
      held += bytes;
      return undefined;
    },
    give(bytes) {
      items--;
      held -= bytes;
    },
    items: () => items,
    bytes: () => held,
  };

  function full(waiting: number, wanted: number): EinstreamError {
    const isOfItems = waiting + 1 > maxItems;
    return fault('E_QUEUE_FULL', {
      place: isOfItems ? 'maxQueue' : 'maxQueueBytes',
      rule: 'what waits for a worker is bounded',
      expected: isOfItems ? `at most ${maxItems} requests` : `at most ${humanBytes(maxBytes)}`,
      actual: isOfItems ? 'one more' : humanBytes(wanted),
      hint: 'ask again later, give the pool more workers, or let requests come on demand: through(pool.run(graph), { credits })',
    });
  }
}
