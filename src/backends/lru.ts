/**
 * @file A map of bounded size; reading or writing an entry makes it the last to go.
 */

export interface Lru<K, V> {
  readonly get: (key: K) => V | undefined;
  readonly set: (key: K, value: V) => V;
  readonly size: () => number;
  /** Evicts everything. */
  readonly clear: () => void;
}

/** `evicted` is called with each value that has to go. */
export function leastRecentlyUsed<K, V>(capacity: number, evicted?: (value: V) => void): Lru<K, V> {
  // A Map iterates in order of insertion, so deleting and inserting again moves an entry to the young end.
  const entries = new Map<K, V>();
  const touch = (key: K, value: V): V => {
    entries.delete(key);
    entries.set(key, value);
    return value;
  };
  return {
    get(key) {
      const value = entries.get(key);
      return value === undefined ? undefined : touch(key, value);
    },
    set(key, value) {
      touch(key, value);
      for (const [oldest, old] of entries) {
        if (entries.size <= capacity) break;
        entries.delete(oldest);
        evicted?.(old);
      }
      return value;
    },
    size: () => entries.size,
    clear() {
      const all = [...entries.values()];
      entries.clear();
      for (const value of all) evicted?.(value);
    },
  };
}
