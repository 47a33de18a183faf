/**
 * @file A map that is bounded in entries and bytes, with a policy for who goes, and counts of what happened.
 */
import { orderOf, type EvictionPolicy } from './order.js';

/** What happened to a cache so far. */
export interface CacheCounts {
  readonly hits: number;
  readonly misses: number;
  readonly evictions: number;
  /** Held now, and at most so far. */
  readonly entries: number;
  readonly bytes: number;
  readonly peak: number;
  /** Hits of all that was asked for, from 0 to 1; 0 before anything was. */
  readonly hitRate: number;
}

export interface Bounded<K, V> {
  /** Counts as a use. */
  get(key: K): V | undefined;
  /** Is a use, but does not count as one. */
  peek(key: K): V | undefined;
  /** Neither counts nor is a use. */
  has(key: K): boolean;
  /** Whether so many bytes could be held at all. */
  takes(bytes: number): boolean;
  /** False where there is no room for it, and none can be made: the cache stays as it is. */
  set(key: K, value: V, bytes: number): boolean;
  delete(key: K): boolean;
  clear(): void;
  counts(): CacheCounts;
}

export interface Bounds<V> {
  readonly maxEntries: number;
  readonly maxBytes: number;
  readonly policy: EvictionPolicy;
  /** Called with each value that leaves, whatever for. */
  readonly left?: (value: V) => void;
}

/** Evicts no more than it must, and nobody for what it does not take in the end. A value replaced in its place evicts nobody. */
export function bounded<K, V>({ maxEntries, maxBytes, policy, left = () => undefined }: Bounds<V>): Bounded<K, V> {
  const held = new Map<K, { readonly value: V; readonly bytes: number }>();
  let order = orderOf<K>(policy);
  let [hits, misses, evictions, bytes, peak] = [0, 0, 0, 0, 0];
  const takeOut = (key: K): V => {
    const entry = held.get(key)!;
    held.delete(key);
    order.remove(key);
    bytes -= entry.bytes;
    return entry.value;
  };
  const isFull = (more: number): boolean => held.size >= maxEntries || bytes + more > maxBytes;
  return {
    get(key) {
      const entry = held.get(key);
      if (entry === undefined) {
        misses++;
        return undefined;
      }
      hits++;
      order.use(key);
      return entry.value;
    },
    peek(key) {
      const entry = held.get(key);
      if (entry !== undefined) order.use(key);
      return entry?.value;
    },
    has: (key) => held.has(key),
    takes: (size) => size <= maxBytes && maxEntries >= 1,
    set(key, value, size) {
      const old = held.get(key);
      if (size > maxBytes || maxEntries < 1) return false;
      if (old !== undefined && bytes - old.bytes + size <= maxBytes) {
        held.set(key, { value, bytes: size });
        order.use(key);
        bytes += size - old.bytes;
      } else {
        if (policy === 'none' && (old !== undefined || isFull(size))) return false;
        if (old !== undefined) takeOut(key);
        while (isFull(size)) {
          left(takeOut(order.victim()!));
          evictions++;
        }
        order.add(key);
        held.set(key, { value, bytes: size });
        bytes += size;
      }
      peak = Math.max(peak, bytes);
      if (old !== undefined && old.value !== value) left(old.value);
      return true;
    },
    delete(key) {
      if (!held.has(key)) return false;
      left(takeOut(key));
      return true;
    },
    clear() {
      const values = [...held.values()];
      held.clear();
      order = orderOf(policy);
      bytes = 0;
      for (const { value } of values) left(value);
    },
    counts: () => ({
      hits,
      misses,
      evictions,
      entries: held.size,
      bytes,
      peak,
      hitRate: hits + misses === 0 ? 0 : hits / (hits + misses),
    }),
  };
}
