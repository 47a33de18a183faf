/**
 * @file A queue from which the least item comes first: adding and taking cost the logarithm of its length.
 */

export interface Heap<T> {
  readonly push: (item: T) => void;
  readonly peek: () => T | undefined;
  readonly pop: () => T | undefined;
}

/** @param isBefore a strict order; items that are equal in it come in any order */
export function heap<T>(isBefore: (a: T, b: T) => boolean): Heap<T> {
  const items: T[] = [];
  const swap = (a: number, b: number): void => {
    [items[a], items[b]] = [items[b], items[a]];
  };
  return {
    peek: () => items[0],
    push(item) {
      let at = items.push(item) - 1;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (!isBefore(items[at], items[parent])) break;
        swap(at, parent);
        at = parent;
      }
    },
    pop() {
      const last = items.pop();
      if (items.length === 0 || last === undefined) return last;
      const [first] = items;
      items[0] = last;
      for (let at = 0; ;) {
        const left = 2 * at + 1;
        const right = left + 1;
        let least = at;
        if (left < items.length && isBefore(items[left], items[least])) least = left;
        if (right < items.length && isBefore(items[right], items[least])) least = right;
        if (least === at) return first;
        swap(at, least);
        at = least;
      }
    },
  };
}
