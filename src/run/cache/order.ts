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

interface Link<K> {
  readonly key: K | undefined;
  before: Link<K>;
  after: Link<K>;
}

interface Line<K> {
  /** At the young end. */
  push(key: K): void;
  remove(key: K): void;
  first(): K | undefined;
  isEmpty(): boolean;
}

/** Keys in a row. Finding the first of a Set steps over all that were deleted before it, so there are links. */
function line<K>(): Line<K> {
  const links = new Map<K, Link<K>>();
  const ends = { key: undefined } as Link<K>;
  ends.before = ends.after = ends;
  return {
    push(key) {
      const link: Link<K> = { key, before: ends.before, after: ends };
      ends.before.after = link;
      ends.before = link;
      links.set(key, link);
    },
    remove(key) {
      const { before, after } = links.get(key)!;
      before.after = after;
      after.before = before;
      links.delete(key);
    },
    first: () => ends.after.key,
    isEmpty: () => links.size === 0,
  };
}

function byAge<K>(onUse: (keys: Line<K>, key: K) => void): Order<K> {
  const keys = line<K>();
  return { add: keys.push, use: (key) => onUse(keys, key), remove: keys.remove, victim: keys.first };
}

/** Keys by how often they were used; of equals, the one that has been so for longest goes first. */
function byCount<K>(): Order<K> {
  const counts = new Map<K, number>();
  const groups = new Map<number, Line<K>>();
  let least = 0;
  const leave = (key: K, count: number): void => {
    const group = groups.get(count)!;
    group.remove(key);
    if (group.isEmpty()) groups.delete(count);
  };
  const join = (key: K, count: number): void => {
    counts.set(key, count);
    let group = groups.get(count);
    if (group === undefined) groups.set(count, (group = line()));
    group.push(key);
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
      return counts.size === 0 ? undefined : groups.get(least)!.first();
    },
  };
}

const ORDERS: { readonly [P in EvictionPolicy]: <K>() => Order<K> } = {
  lru: <K>() =>
    byAge<K>((keys, key) => {
      keys.remove(key);
      keys.push(key);
    }),
  fifo: <K>() => byAge<K>(() => undefined),
  lfu: byCount,
  none: <K>(): Order<K> => ({ add: () => undefined, use: () => undefined, remove: () => undefined, victim: () => undefined }),
};

export const EVICTION_POLICIES = Object.keys(ORDERS) as readonly EvictionPolicy[];

export const orderOf = <K>(policy: EvictionPolicy): Order<K> => ORDERS[policy]<K>();
