/**
 * @file `sharedWorkspace`: byte ranges that threads take from one memory, and give back, at the same time.
 *
 * All state lies in the memory itself, behind a lock of one word, so whoever gets the memory by message joins in. Sizes are
 * powers of two; free blocks of each are a list linked through their own first words.
 */
import { describeValue, fault, humanBytes } from '../../errors/index.js';

/** Bytes of a shared memory on loan. */
export interface SharedBlock {
  /** Where it begins in the memory. Other threads find it by this number. */
  readonly offset: number;
  readonly bytes: number;
  readonly view: Uint8Array;
}

/** What all threads together have done. */
export interface SharedWorkspaceStats {
  /** Bytes that blocks may take. */
  readonly capacity: number;
  /** Blocks that are out, and their bytes as they were rounded. */
  readonly live: number;
  readonly used: number;
  readonly allocations: number;
  /** Allocations that took a block that was released. */
  readonly reuses: number;
}

/** Byte ranges that threads share. */
export interface SharedWorkspace {
  /** To be posted to other threads, which call `sharedWorkspace` with it. */
  readonly buffer: SharedArrayBuffer;
  /**
   * Lends bytes to this thread; nobody else gets them before they are released. They hold what lay there before.
   *
   * @throws EinstreamError E_ARGUMENT for a size that is no integer ≥ 1, E_OOM where there is no room
   */
  allocate(bytes: number): SharedBlock;
  /** Takes a block back, whichever thread it was lent to. @throws EinstreamError E_ARGUMENT for an offset that is not out */
  release(block: SharedBlock | number): void;
  stats(): SharedWorkspaceStats;
}

/** Words at the start of the memory. */
const [LOCK, MAGIC, TOP, LIVE, ALLOCATIONS, REUSES, USED, LISTS] = [0, 1, 2, 3, 4, 5, 6, 16];
const MARK = 0x65736d77;
const CLASSES = 32;
const HEADER = 4 * (LISTS + CLASSES);
/** Before each block: its class and whether it is out. Eight bytes, so that blocks stay aligned. */
const TAG = 8;
const UNIT = 64;
const OUT = 0x4f550000;
const FREE = 0x46520000;
/** How long a thread waits for another one that holds the lock, before it looks again. */
const PATIENCE = 10;

/**
 * Makes memory that threads share, or joins one that another thread made.
 *
 * ```ts
 * const here = sharedWorkspace(65536);
 * const there = sharedWorkspace(here.buffer); // in a worker
 * there.release(here.allocate(100).offset);
 * here.stats().live // => 0
 * ```
 *
 * @param from bytes of the memory, 4 KiB to 2 GiB, or the `buffer` of a shared workspace
 * @throws EinstreamError E_BACKEND where there is no SharedArrayBuffer, E_ARGUMENT for a size or memory that will not do, E_OOM
 */
export function sharedWorkspace(from: number | SharedArrayBuffer): SharedWorkspace {
  if (typeof SharedArrayBuffer !== 'function')
    throw fault('E_BACKEND', {
      place: 'sharedWorkspace',
      rule: 'threads must be able to share memory here: see environment().sharedMemory',
      hint: 'isolate the page (COOP and COEP headers), or use workspace() in each thread',
    });
  const buffer = typeof from === 'number' ? made(from) : from;
  if (!(buffer instanceof SharedArrayBuffer) || buffer.byteLength < HEADER || new Int32Array(buffer)[MAGIC] !== MARK)
    throw fault('E_ARGUMENT', {
      place: 'sharedWorkspace',
      rule: 'the memory is that of another shared workspace',
      actual: describeValue(from),
    });
  const words = new Int32Array(buffer);
  const capacity = buffer.byteLength - HEADER;
  const tagOf = (offset: number): number => (offset - TAG) >> 2;

  const allocate = (bytes: number): SharedBlock => {
    if (!Number.isSafeInteger(bytes) || bytes < 1)
      throw fault('E_ARGUMENT', {
        place: 'sharedWorkspace',
        rule: 'a size is an integer ≥ 1, in bytes',
        actual: describeValue(bytes),
      });
    const size = Math.max(UNIT, 2 ** Math.ceil(Math.log2(bytes + TAG)));
    const kind = Math.log2(size);
    const offset = size > capacity ? 0 : locked(words, () => taken(size, kind));
    if (offset > 0) return { offset, bytes, view: new Uint8Array(buffer, offset, bytes) };
    throw fault('E_OOM', {
      place: 'sharedWorkspace',
      rule: 'a shared memory does not grow: the block must fit beside those that are out',
      expected: `at most ${humanBytes(capacity)} in all, ${humanBytes(words[USED] * UNIT)} of them in use`,
      actual: humanBytes(bytes),
      hint: 'release blocks, or make a larger memory',
    });
  };
  /** Offset of a block, 0 where there is no room. */
  const taken = (size: number, kind: number): number => {
    let offset = words[LISTS + kind];
    if (offset > 0) {
      words[LISTS + kind] = words[offset >> 2];
      words[REUSES]++;
    } else {
      const start = words[TOP] * TAG;
      if (start + size > buffer.byteLength) return 0;
      words[TOP] += size / TAG;
      offset = start + TAG;
    }
    words[tagOf(offset)] = OUT | kind;
    words[LIVE]++;
    words[ALLOCATIONS]++;
    words[USED] += size / UNIT;
    return offset;
  };
  const given = (offset: number): boolean => {
    if (!Number.isSafeInteger(offset) || offset % TAG !== 0 || offset < HEADER + TAG || offset >= words[TOP] * TAG) return false;
    const tag = words[tagOf(offset)];
    if ((tag & ~0xffff) !== OUT || (tag & 0xffff) >= CLASSES) return false;
    const kind = tag & 0xffff;
    words[tagOf(offset)] = FREE | kind;
    words[offset >> 2] = words[LISTS + kind];
    words[LISTS + kind] = offset;
    words[LIVE]--;
    words[USED] -= 2 ** kind / UNIT;
    return true;
  };
  return Object.freeze<SharedWorkspace>({
    buffer,
    allocate,
    release(block) {
      const offset = typeof block === 'object' && block !== null ? block.offset : block;
      if (locked(words, () => given(offset))) return;
      throw fault('E_ARGUMENT', {
        place: 'sharedWorkspace',
        rule: 'a block is released once, and only what is out',
        actual: `offset ${describeValue(offset)}`,
      });
    },
    stats: () =>
      locked(words, () => ({
        capacity,
        live: words[LIVE],
        used: words[USED] * UNIT,
        allocations: words[ALLOCATIONS],
        reuses: words[REUSES],
      })),
  });
}

function made(bytes: number): SharedArrayBuffer {
  if (!Number.isSafeInteger(bytes) || bytes < 4096 || bytes > 2 ** 31 - UNIT)
    throw fault('E_ARGUMENT', {
      place: 'sharedWorkspace',
      rule: 'the memory has 4 KiB to 2 GiB',
      actual: describeValue(bytes),
    });
  try {
    const buffer = new SharedArrayBuffer(Math.ceil(bytes / UNIT) * UNIT);
    const words = new Int32Array(buffer);
    words[TOP] = HEADER / TAG;
    words[MAGIC] = MARK;
    return buffer;
  } catch (cause) {
    throw fault('E_OOM', {
      place: 'sharedWorkspace',
      rule: 'memory that threads share must be available',
      expected: humanBytes(bytes),
      cause,
    });
  }
}

/** Does a few words of work while no other thread does. The lock is 0 when free, 1 when held, 2 when held and waited for. */
function locked<T>(words: Int32Array<SharedArrayBuffer>, work: () => T): T {
  if (Atomics.compareExchange(words, LOCK, 0, 1) !== 0) {
    while (Atomics.exchange(words, LOCK, 2) !== 0) pause(words);
  }
  try {
    return work();
  } finally {
    if (Atomics.exchange(words, LOCK, 0) === 2) Atomics.notify(words, LOCK, 1);
  }
}

/** Until the lock is free, or for a while. A page's main thread may not sleep: it looks again at once. */
function pause(words: Int32Array<SharedArrayBuffer>): void {
  try {
    Atomics.wait(words, LOCK, 2, PATIENCE);
  } catch {
    // Not allowed on this thread.
  }
}
