/**
 * @file Code that was made, bounded in entries and in bytes: what was not used for longest goes first.
 *
 * An entry carries its own stamp of use, so that using it costs one assignment; looking for the oldest is for the few times
 * when something has to go.
 */

export interface Entry {
  readonly key: string;
  readonly bytes: number;
  /** Rises with each use. */
  stamp: number;
}

export interface CodeCache<E extends Entry> {
  readonly get: (key: string) => E | undefined;
  /** Adds it, and lets others go until all fit; itself it stays. */
  readonly add: (entry: E) => void;
  /** Takes it out without a word. */
  readonly remove: (entry: E) => void;
  readonly entries: () => Iterable<E>;
  readonly size: () => number;
  readonly bytes: () => number;
}

/** `evicted` is called with each entry that has to go. Keys are compared in full. */
export function codeCache<E extends Entry>(maxEntries: number, maxBytes: number, evicted: (entry: E) => void): CodeCache<E> {
  const entries = new Map<string, E>();
  let bytes = 0;
  const remove = (entry: E): void => {
    if (entries.get(entry.key) !== entry) return;
    entries.delete(entry.key);
    bytes -= entry.bytes;
  };
  const oldestBut = (kept: E): E | undefined => {
    let oldest: E | undefined;
    for (const entry of entries.values())
      if (entry !== kept && (oldest === undefined || entry.stamp < oldest.stamp)) oldest = entry;
    return oldest;
  };
  return {
    get: (key) => entries.get(key),
    add(entry) {
      const before = entries.get(entry.key);
      if (before !== undefined) remove(before);
      entries.set(entry.key, entry);
      bytes += entry.bytes;
      while (entries.size > maxEntries || bytes > maxBytes) {
        const oldest = oldestBut(entry);
        if (oldest === undefined) break;
        remove(oldest);
        evicted(oldest);
      }
    },
    remove,
    entries: () => entries.values(),
    size: () => entries.size,
    bytes: () => bytes,
  };
}
