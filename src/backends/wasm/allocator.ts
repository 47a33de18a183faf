/**
 * @file Regions of one address space: handed out, taken back, joined with their neighbours when space runs short.
 */

export interface Allocator {
  /** The address of `bytes` bytes, or undefined where there is no room. */
  readonly allocate: (bytes: number) => number | undefined;
  readonly release: (address: number, bytes: number) => void;
  /** Bytes handed out now. */
  readonly used: () => number;
}

/** Addresses are multiples of this, so that vectors never straddle a cache line needlessly. */
export const ALIGNMENT = 64;

const rounded = (bytes: number): number => Math.max(ALIGNMENT, Math.ceil(bytes / ALIGNMENT) * ALIGNMENT);

/**
 * Regions of equal size are reused at once, in constant time; the rest comes from the end of what was used so far. When that
 * meets `end`, free neighbours are joined and the smallest fitting one is cut.
 */
export function allocator(start: number, end: number): Allocator {
  const free = new Map<number, number[]>();
  let top = Math.ceil(start / ALIGNMENT) * ALIGNMENT;
  let used = 0;

  const put = (address: number, size: number): void => {
    const list = free.get(size);
    if (list === undefined) free.set(size, [address]);
    else list.push(address);
  };
  const take = (size: number): number | undefined => {
    const list = free.get(size);
    const address = list?.pop();
    if (list?.length === 0) free.delete(size);
    return address;
  };
  /** Joins neighbours; a free region at the top is given back to it. */
  const join = (): void => {
    const regions = [...free]
      .flatMap(([size, list]) => list.map((address) => ({ address, size })))
      .sort((a, b) => a.address - b.address);
    free.clear();
    let last: { address: number; size: number } | undefined;
    const flush = (): void => {
      if (last !== undefined) put(last.address, last.size);
    };
    for (const region of regions) {
      if (last !== undefined && last.address + last.size === region.address) last.size += region.size;
      else {
        flush();
        last = { ...region };
      }
    }
    if (last !== undefined && last.address + last.size === top) top = last.address;
    else flush();
  };
  const bump = (size: number): number | undefined => {
    if (top + size > end) return undefined;
    const address = top;
    top += size;
    return address;
  };
  const cut = (size: number): number | undefined => {
    let best = Infinity;
    for (const each of free.keys()) if (each >= size && each < best) best = each;
    if (best === Infinity) return undefined;
    const address = take(best)!;
    if (best > size) put(address + size, best - size);
    return address;
  };

  return {
    allocate(bytes) {
      const size = rounded(bytes);
      let address = take(size) ?? bump(size);
      if (address === undefined) {
        join();
        address = bump(size) ?? cut(size);
      }
      if (address !== undefined) used += size;
      return address;
    },
    release(address, bytes) {
      const size = rounded(bytes);
      used -= size;
      put(address, size);
    },
    used: () => used,
  };
}
