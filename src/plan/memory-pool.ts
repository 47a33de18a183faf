/**
 * @file `memoryPool`: tensors whose memory is used again, by size class.
 */
import { describeValue, fault } from '../errors/index.js';
import { arrayOf, byteSize, isDType, type DType, type TypedArray } from '../tensor/dtype.js';
import { numElements, readShape, rowMajorStrides, type Shape } from '../tensor/shape.js';
import { allocateArray, Tensor, type Buffer } from '../tensor/tensor.js';

/** What a pool is told when it is made. */
export interface MemoryPoolOptions {
  /** Pieces of memory kept of each size class, for tensors to come; 100 by default. An integer ≥ 0. */
  readonly maxPerClass?: number;
}

/** What a request may ask for. */
export interface PoolRequest {
  /** All elements are 0. Without it they may be anything that lay in the pool before. */
  readonly zeroed?: boolean;
}

/** What a pool has done, and what it holds. Bytes are those of size classes: what is really taken. */
export interface MemoryPoolStats {
  readonly allocations: number;
  /** Allocations that took memory of a tensor before. */
  readonly reuses: number;
  readonly releases: number;
  /** Tensors that are out, and their bytes. */
  readonly live: number;
  readonly liveBytes: number;
  /** Most bytes that were out at one time. */
  readonly peak: number;
  /** Bytes that wait to be used again. */
  readonly pooledBytes: number;
  /** `reuses` of `allocations`, 0 to 1; 0 before the first. */
  readonly reuseRate: number;
}

/** Tensors on loan. */
export interface MemoryPool {
  /**
   * A contiguous tensor, the caller's until it is given back.
   *
   * @throws EinstreamError E_SHAPE, E_LIMIT or E_DTYPE for a shape or dtype that is none, E_OOM when there is no memory
   */
  allocate(shape: Shape, dtype?: DType, request?: PoolRequest): Tensor;
  /**
   * Gives a tensor back. It, and every view of it, is E_STALE from then on.
   *
   * @throws EinstreamError E_ARGUMENT for a tensor that is not out: given back before, or not of this pool
   */
  deallocate(tensor: Tensor): void;
  stats(): MemoryPoolStats;
  /** Lets go of what waits to be used again; what is out stays. */
  clear(): void;
}

/** Bytes of the smallest class; each further one is twice as large. */
const SMALLEST = 64;
/** What is larger is a class by itself: twice as much may be more than there is. */
const LARGEST = 2 ** 30;

const classOf = (bytes: number): number =>
  bytes <= SMALLEST ? SMALLEST : bytes > LARGEST ? bytes : 2 ** Math.ceil(Math.log2(bytes));

type ArrayOver = new (buffer: ArrayBufferLike, at: number, length: number) => TypedArray;

/**
 * Makes a pool of tensors: what is given back is used again for the next tensor of its size class, whatever its dtype.
 *
 * ```ts
 * const pool = memoryPool();
 * pool.deallocate(pool.allocate([2, 3]));
 * pool.allocate([6], 'float32', { zeroed: true }).toArray() // => [0, 0, 0, 0, 0, 0]
 * pool.stats().reuseRate // => 0.5
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for a `maxPerClass` that is no integer ≥ 0
 */
export function memoryPool({ maxPerClass = 100 }: MemoryPoolOptions = {}): MemoryPool {
  if (!Number.isSafeInteger(maxPerClass) || maxPerClass < 0) {
    throw fault('E_ARGUMENT', {
      place: 'maxPerClass',
      rule: 'maxPerClass is an integer ≥ 0',
      actual: describeValue(maxPerClass),
    });
  }
  const idle = new Map<number, ArrayBufferLike[]>();
  // A view has the buffer of its tensor, so that either may be given back.
  const out = new Map<Buffer, number>();
  let [allocations, reuses, releases, liveBytes, peak, pooledBytes] = [0, 0, 0, 0, 0, 0];
  return {
    allocate(shape, dtype = 'float32', { zeroed = false } = {}) {
      if (!isDType(dtype))
        throw fault('E_DTYPE', { place: 'memoryPool', rule: 'the dtype must be known', actual: describeValue(dtype) });
      const dims = readShape(shape, 'memoryPool');
      const size = numElements(dims);
      const bytes = classOf(size * byteSize(dtype));
      const found = idle.get(bytes)?.pop();
      const memory = found ?? allocateArray(bytes, 'uint8').buffer;
      const array = new (arrayOf(dtype) as unknown as ArrayOver)(memory, 0, size);
      if (found !== undefined) {
        reuses++;
        pooledBytes -= bytes;
        if (zeroed) new Uint8Array(memory, 0, array.byteLength).fill(0);
      }
      allocations++;
      liveBytes += bytes;
      peak = Math.max(peak, liveBytes);
      const buffer: Buffer = { array, retired: false };
      out.set(buffer, bytes);
      return new Tensor(dtype, dims, rowMajorStrides(dims), 0, size, buffer);
    },
    deallocate(tensor) {
      const buffer = tensor instanceof Tensor ? tensor.buffer : undefined;
      const bytes = buffer && out.get(buffer);
      if (buffer === undefined || bytes === undefined) throw notOut(tensor);
      out.delete(buffer);
      buffer.retired = true;
      releases++;
      liveBytes -= bytes;
      let list = idle.get(bytes);
      if (list === undefined) idle.set(bytes, (list = []));
      // What was transferred away has no memory left.
      if (list.length >= maxPerClass || buffer.array.buffer.byteLength !== bytes) return;
      list.push(buffer.array.buffer);
      pooledBytes += bytes;
    },
    stats: () => ({
      allocations,
      reuses,
      releases,
      live: out.size,
      liveBytes,
      peak,
      pooledBytes,
      reuseRate: allocations === 0 ? 0 : reuses / allocations,
    }),
    clear() {
      idle.clear();
      pooledBytes = 0;
    },
  };
}

const notOut = (tensor: unknown): Error =>
  fault('E_ARGUMENT', {
    place: 'memoryPool',
    rule: 'a tensor is given back once, to the pool that it came from',
    actual: tensor instanceof Tensor ? (tensor.buffer.retired ? `${String(tensor)}, given back before` : `${String(tensor)} of another origin`) : describeValue(tensor), // prettier-ignore
    hint: 'give back each tensor that allocate gave, and each only once',
  });
