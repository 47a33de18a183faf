/**
 * @file `workspace`: ranges of bytes on loan from memory that grows up to a limit.
 */
import { describeValue, fault, humanBytes, type EinstreamError } from '../../errors/index.js';
import { freeRanges } from '../arena/free-ranges.js';
import { readConfig, type WorkspaceConfig } from './config.js';
import { bytesIn, segments } from './segments.js';

/** Bytes on loan: nobody else has them until they are released. */
export interface WorkspaceBlock {
  readonly id: number;
  /** Address of the first byte in the workspace. */
  readonly offset: number;
  /** As asked for. */
  readonly bytes: number;
  /** The bytes, with what lay there before. */
  readonly view: Uint8Array;
}

/** What a workspace has done, and what it holds. */
export interface WorkspaceStats {
  /** Bytes of all memory, and of the blocks that are out, as they were rounded. */
  readonly capacity: number;
  readonly used: number;
  /** Most bytes that were out at one time. */
  readonly peak: number;
  /** Blocks that are out. */
  readonly live: number;
  readonly allocations: number;
  readonly releases: number;
  /** Allocations that took bytes of a block before, of all: 0 to 1. */
  readonly hitRate: number;
  readonly expansions: number;
  readonly defragmentations: number;
  /** 1 − the largest free range, of all bytes in free ranges; 0 where there is none, or one. */
  readonly fragmentation: number;
  /** Free ranges by size class: of at most 64 bytes, 128, 256 …; the last holds all that are larger. */
  readonly classes: readonly number[];
}

/** What `defragment` did. */
export interface Defragmented {
  /** Bytes of memory that the workspace let go of. */
  readonly freedBytes: number;
  /** Free ranges that became part of another one. */
  readonly merged: number;
}

/** Bytes on loan from memory that grows up to a limit. */
export interface Workspace {
  /**
   * Lends bytes; their first address is a multiple of 8.
   *
   * @throws EinstreamError E_ARGUMENT for a size that is no integer ≥ 1, E_LIMIT for more than `max` in all, E_OOM where there is
   *   no room and the workspace may not grow
   */
  allocate(bytes: number): WorkspaceBlock;
  /** Lends bytes to a function, and takes them back when it returns or throws. */
  lend<T>(bytes: number, use: (view: Uint8Array) => T): T;
  /** Takes a block back. @throws EinstreamError E_ARGUMENT for one that is not out: unknown, or released before */
  release(block: WorkspaceBlock | number): void;
  /** Joins free ranges that are side by side, and lets go of memory beyond the first piece that nothing lies in. */
  defragment(): Defragmented;
  stats(): WorkspaceStats;
  /** Lets go of all memory; it grows again when it is needed. @throws EinstreamError E_ARGUMENT while blocks are in use */
  clear(): void;
}

const UNIT = 8;

/**
 * Makes a workspace: byte ranges on loan. What is released is lent again as `strategy` says; free neighbours stay apart until
 * `defragment` joins them, so that releasing costs little.
 *
 * ```ts
 * const scratch = workspace({ initial: 1024, max: 4096 });
 * const block = scratch.allocate(100);
 * scratch.release(block);
 * scratch.allocate(100).offset === block.offset // => true
 * scratch.stats().hitRate // => 0.5
 * ```
 *
 * @param config what is left out is as in `WorkspaceConfig`; `WORKSPACE_PRESETS` has three to start from
 * @throws EinstreamError E_ARGUMENT naming the field that is out of its range
 */
export function workspace(config: WorkspaceConfig = {}): Workspace {
  const { initial, max, growth, autoExpand, defragment, threshold, buckets, fit } = readConfig(config);
  const free = freeRanges();
  const memory = segments();
  const blocks = new Map<number, { readonly offset: number; readonly bytes: number }>();
  let [next, used, peak, hits, releases, expansions, defragmentations] = [1, 0, 0, 0, 0, 0, 0];
  if (initial > 0) memory.grow(initial);

  const sizeOf = (bytes: number): number => {
    if (!Number.isSafeInteger(bytes) || bytes < 1) throw invalidSize(bytes);
    // No strategy makes more of a request than there may be.
    return Math.max(Math.ceil(bytes / UNIT) * UNIT, Math.min(fit.sized(bytes), max));
  };
  const place = (size: number): number | undefined => {
    const reused = free.take(fit, size);
    if (reused !== undefined) hits++;
    return reused ?? memory.bump(size);
  };
  const expand = (size: number): void => {
    const capacity = memory.capacity();
    if (!autoExpand) throw noRoom(size, capacity - used, free.ranges.length);
    if (capacity + size > max) throw overLimit(capacity + size, max);
    memory.grow(Math.min(max - capacity, Math.max(size, Math.ceil(capacity * (growth - 1)))));
    expansions++;
  };
  const self: Workspace = {
    allocate(bytes) {
      const size = sizeOf(bytes);
      if (size > max) throw overLimit(size, max);
      let offset = place(size);
      if (offset === undefined && defragment && fragmentation(free.ranges) >= threshold) {
        self.defragment();
        offset = place(size);
      }
      if (offset === undefined) {
        expand(size);
        offset = memory.bump(size)!;
      }
      const id = next++;
      blocks.set(id, { offset, bytes: size });
      used += size;
      peak = Math.max(peak, used);
      return Object.freeze({ id, offset, bytes, view: bytesIn(memory.find(offset), { offset, bytes }) });
    },
    lend(bytes, use) {
      const block = self.allocate(bytes);
      try {
        return use(block.view);
      } finally {
        self.release(block);
      }
    },
    release(block) {
      const id = typeof block === 'object' && block !== null ? block.id : block;
      const held = blocks.get(id);
      if (held === undefined) throw notOut(id, next);
      blocks.delete(id);
      used -= held.bytes;
      releases++;
      free.put(held, 'apart');
    },
    defragment() {
      defragmentations++;
      const merged = free.join();
      let freedBytes = 0;
      for (const segment of [...memory.all]) {
        const last = free.takeEnding(segment.top);
        if (last !== undefined) segment.top = last.offset;
        if (segment.top > segment.start || segment === memory.all[0]) continue;
        memory.drop(segment);
        freedBytes += segment.bytes;
      }
      return { freedBytes, merged };
    },
    stats() {
      const classes = new Array<number>(buckets).fill(0);
      for (const { bytes } of free.ranges) classes[Math.min(buckets - 1, Math.max(0, Math.ceil(Math.log2(bytes / 64))))]++;
      const allocations = next - 1;
      return {
        capacity: memory.capacity(),
        used,
        peak,
        live: blocks.size,
        allocations,
        releases,
        hitRate: allocations === 0 ? 0 : hits / allocations,
        expansions,
        defragmentations,
        fragmentation: fragmentation(free.ranges),
        classes,
      };
    },
    clear() {
      if (blocks.size > 0) throw inUse(blocks.size, used);
      free.join();
      for (const segment of [...memory.all]) {
        free.takeEnding(segment.top);
        memory.drop(segment);
      }
    },
  };
  return Object.freeze(self);
}

function fragmentation(ranges: readonly { readonly bytes: number }[]): number {
  let [total, largest] = [0, 0];
  for (const { bytes } of ranges) {
    total += bytes;
    if (bytes > largest) largest = bytes;
  }
  return total === 0 ? 0 : 1 - largest / total;
}

const invalidSize = (bytes: unknown): EinstreamError =>
  fault('E_ARGUMENT', { place: 'workspace', rule: 'a size is an integer ≥ 1, in bytes', actual: describeValue(bytes) });

const overLimit = (needed: number, max: number): EinstreamError =>
  fault('E_LIMIT', {
    place: 'workspace',
    rule: 'all memory of a workspace together must stay within `max`',
    expected: `at most ${humanBytes(max)}`,
    actual: humanBytes(needed),
    hint: 'release blocks, call defragment(), or allow more with `max`',
  });

const noRoom = (size: number, left: number, pieces: number): EinstreamError =>
  fault('E_OOM', {
    place: 'workspace',
    rule: 'a workspace that may not grow must have room for the block in one piece',
    expected: `at most ${humanBytes(left)}, in ${pieces} free ranges and what was never lent`,
    actual: humanBytes(size),
    hint: 'call defragment(), release blocks, or set autoExpand',
  });

const notOut = (id: unknown, next: number): EinstreamError =>
  fault('E_ARGUMENT', {
    place: 'workspace',
    rule: 'a block is released once, by the workspace that lent it',
    actual: typeof id === 'number' && id >= 1 && id < next ? `block ${id}, released before` : `no block ${describeValue(id)}`,
  });

const inUse = (count: number, bytes: number): EinstreamError =>
  fault('E_ARGUMENT', {
    place: 'workspace',
    rule: 'a workspace is cleared when no block is in use',
    actual: `${count} blocks of ${humanBytes(bytes)} are out`,
    hint: 'release them first',
  });
