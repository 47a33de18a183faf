/**
 * @file Who has to go when a cache is full: four orders, each in constant time an operation.
 */

/** Which entry goes first: the least recently used, the oldest, the least often used, or none. */
export type EvictionPolicy = 'lru' | 'fifo' | 'lfu' | 'none';

/** Keeps the keys of a cache in the order in which they go. */
export interface Order<K> {
  add(key: K): void;
  use(key: K): void;
  remove(key: K): void;
  /** Who goes next; undefined where nobody does. */
  victim(): K | undefined;
}

/** A Set iterates in order of insertion: the first is the oldest. */
const queue = <K>(): Set<K> => new Set<K>();

const first = <K>(keys: Set<K>): K | undefined => keys.values().next().value;

function byAge<K>(onUse: (keys: Set<K>, key: K) => void): Order<K> {
  const keys = queue<K>();
  return {
    add: (key) => void keys.add(key),
    use: (key) => onUse(keys, key),
    remove: (key) => void keys.delete(key),
    victim: () => first(keys),
  };
}

/** Keys by how often they were used; of equals, the one that has been so for longest goes first. */
function byCount<K>(): Order<K> {
  const counts = new Map<K, number>();
  const groups = new Map<number, Set<K>>();
  let least = 0;
  const leave = (key: K, count: number): void => {
    const group = groups.get(count)!;
    group.delete(key);
    if (group.size === 0) groups.delete(count);
  };
  const join = (key: K, count: number): void => {
    counts.set(key, count);
    let group = groups.get(count);
    if (group === undefined) groups.set(count, (group = queue()));
    group.add(key);
  };
  return {
    add(key) {
      least = 0;
      join(key, 0);
    },
    use(key) {
      const count = counts.get(key)!;
      leave(key, count);
      join(key, count + 1);
      if (count === least && !groups.has(count)) least = count + 1;
    },
    remove(key) {
      leave(key, counts.get(key)!);
      counts.delete(key);
    },
    victim() {
      // Removing may have emptied the least group; counts are few, and each step up is paid for by a use.
      while (counts.size > 0 && !groups.has(least)) least++;
      return counts.size === 0 ? undefined : first(groups.get(least)!);
    },
  };
}

const ORDERS: { readonly [P in EvictionPolicy]: <K>() => Order<K> } = {
  lru: <K>() =>
    byAge<K>((keys, key) => {
      keys.delete(key);
      keys.add(key);
    }),
  fifo: <K>() => byAge<K>(() => undefined),
  lfu: byCount,
  none: <K>(): Order<K> => ({ add: () => undefined, use: () => undefined, remove: () => undefined, victim: () => undefined }),
};

export const EVICTION_POLICIES = Object.keys(ORDERS) as readonly EvictionPolicy[];

export const orderOf = <K>(policy: EvictionPolicy): Order<K> => ORDERS[policy]<K>();
