/**
 * @file A queue whose both ends cost the same, however long it is.
 */

export interface Fifo<T> {
  readonly push: (item: T) => void;
  /** The oldest item, or undefined when there is none. */
  readonly shift: () => T | undefined;
  readonly isEmpty: () => boolean;
  /** A copy of what waits, the oldest first. */
  readonly list: () => T[];
}

export function fifo<T>(): Fifo<T> {
  let items: T[] = [];
  let head = 0;
  return {
    push: (item) => void items.push(item),
    isEmpty: () => head === items.length,
    list: () => items.slice(head),
    shift() {
      if (head === items.length) return undefined;
      const item = items[head];
      items[head++] = undefined as T;
      if (head === items.length) {
        items.length = 0;
        head = 0;
      } else if (head > 1024 && head * 2 > items.length) {
        // Drop what was taken once it is most of the array: constant work an item.
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
  };
}
