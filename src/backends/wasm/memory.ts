/**
 * @file The tensors of a WebAssembly backend: one memory that never grows, so that no array over it is ever detached.
 *
 * The memory is reserved whole; pages that nobody touched cost nothing. A region is free again when it is released, or when
 * the last tensor over it is garbage, whichever comes first.
 */
import { describeValue, fault, humanBytes, type EinstreamError } from '../../errors/index.js';
import { arrayOf, byteSize, isDType, type DType, type TypedArray } from '../../tensor/dtype.js';
import { extent } from '../../tensor/layout.js';
import { numElements, rowMajorStrides, type Shape } from '../../tensor/shape.js';
import { copyElements, liveArray, Tensor, type Buffer } from '../../tensor/tensor.js';
import type { Reserve } from '../backend.js';
import { tensorAt } from '../reserve.js';
import { allocator } from './allocator.js';

/** Bytes of a WebAssembly page. */
const PAGE = 65536;
/** Bytes behind each tensor that kernels may read and write: a vector may reach beyond the last element. */
export const PADDING = 64;

/** Bytes that belong to whoever asked for them until `release`, which counts once. */
export interface Region {
  readonly address: number;
  readonly release: () => void;
}

export interface WasmMemory {
  readonly memory: WebAssembly.Memory;
  /** Threads may share it. */
  readonly isShared: boolean;
  readonly bytes: number;
  /** A contiguous tensor of zeros. */
  readonly allocate: (shape: Shape, dtype: DType) => Tensor;
  /** Frees the memory of a tensor that `allocate` made; every tensor over it is stale from now on. */
  readonly release: (tensor: Tensor) => void;
  /** The tensor's elements lie in this memory. */
  readonly owns: (tensor: Tensor) => boolean;
  /**
   * Byte address of the first element of a tensor that lies here.
   *
   * @throws EinstreamError E_STALE when its memory was given back, E_BACKEND when it lies elsewhere, or after `close`
   */
  readonly addressOf: (tensor: Tensor) => number;
  /** The elements of a tensor that lies elsewhere, copied in as they lie there, strides and all; `address` is of the first. */
  readonly bring: (tensor: Tensor) => Region;
  /** A region for the backend's own use. */
  readonly borrow: (bytes: number) => Region;
  /** A region that tensors of a frame lie in. Those at an offset are stale once it is released, or garbage. */
  readonly reserve: (bytes: number) => Reserve;
  /** Bytes in use. */
  readonly used: () => number;
  /** No kernel runs here any more. */
  readonly close: () => void;
}

/** Reserves up to `limit` bytes; less, by halves, where the engine refuses so much at once. */
function reserveMemory(limit: number, shared: boolean): WebAssembly.Memory {
  for (let pages = Math.ceil(limit / PAGE); ; pages = Math.ceil(pages / 2)) {
    try {
      return new WebAssembly.Memory({ initial: pages, maximum: pages, shared });
    } catch (cause) {
      if (pages <= 16)
        throw fault('E_OOM', {
          place: 'wasm',
          rule: 'memory for the backend must be available',
          expected: humanBytes(limit),
          cause,
        });
    }
  }
}

type ArrayAt = new (buffer: ArrayBufferLike, address: number, length: number) => TypedArray;

export function wasmMemory(limit: number, owner: 'alone' | 'shared' = 'alone'): WasmMemory {
  const isShared = owner === 'shared';
  const memory = reserveMemory(limit, isShared);
  const { buffer: whole } = memory;
  const bytes = whole.byteLength;
  const content = new Uint8Array(whole);
  // Engines fill shared memory element by element: by eight bytes, not by one.
  const wide = new Float64Array(whole);
  // Address 0 stays unused, so that no tensor lies there.
  const regions = allocator(PADDING, bytes - PADDING);
  const regionOf = new WeakMap<Buffer, { readonly address: number; readonly size: number }>();
  // An array is reachable wherever its tensor is, and may outlive it: `data` hands it out.
  const registry = new FinalizationRegistry<{ readonly address: number; readonly size: number }>(({ address, size }) =>
    regions.release(address, size),
  );

  let isClosed = false;

  const find = (size: number): number => {
    const address = regions.allocate(size);
    if (address !== undefined) return address;
    throw fault('E_OOM', {
      place: 'wasm',
      rule: 'tensors must fit into the memory of the backend',
      expected: `at most ${humanBytes(bytes)} in all`,
      actual: `${humanBytes(size)} more than the ${humanBytes(regions.used())} in use`,
      hint: 'raise `memoryLimit`, use smaller batches, or release tensors',
    });
  };
  const borrow = (wanted: number): Region => {
    const size = wanted + PADDING;
    const address = find(size);
    let isHeld = true;
    return {
      address,
      release() {
        if (isHeld) regions.release(address, size);
        isHeld = false;
      },
    };
  };
  return {
    memory,
    isShared,
    bytes,
    allocate(shape, dtype) {
      if (!isDType(dtype))
        throw fault('E_DTYPE', { place: 'wasm', rule: 'the dtype must be known', actual: describeValue(dtype) });
      const count = numElements(shape);
      const size = count * byteSize(dtype) + PADDING;
      const address = find(size);
      const array = new (arrayOf(dtype) as unknown as ArrayAt)(whole, address, count);
      const buffer: Buffer = { array, retired: false };
      regionOf.set(buffer, { address, size });
      registry.register(array, { address, size }, buffer);
      wide.fill(0, address / 8, Math.ceil((address + array.byteLength) / 8)); // What lay here before is nobody's business.
      return new Tensor(
        dtype,
        Object.isFrozen(shape) ? shape : Object.freeze([...shape]),
        rowMajorStrides(shape),
        0,
        count,
        buffer,
      );
    },
    release({ buffer }) {
      const region = regionOf.get(buffer);
      if (region === undefined || buffer.retired) return;
      buffer.retired = true;
      registry.unregister(buffer);
      regions.release(region.address, region.size);
    },
    owns: ({ buffer }) => buffer.array.buffer === whole,
    addressOf(tensor) {
      const { buffer, offset } = tensor;
      if (buffer.retired || isClosed || buffer.array.buffer !== whole) throw unusable(tensor, isClosed);
      return buffer.array.byteOffset + offset * buffer.array.BYTES_PER_ELEMENT;
    },
    bring(tensor) {
      // An empty view may begin outside its array.
      if (tensor.size === 0) return borrow(0);
      const { from, to } = extent(tensor);
      const { buffer, byteOffset, BYTES_PER_ELEMENT: width } = liveArray(tensor);
      const { address, release } = borrow((to - from) * width);
      content.set(new Uint8Array(buffer, byteOffset + from * width, (to - from) * width), address);
      return { address: address + (tensor.offset - from) * width, release };
    },
    borrow,
    reserve(wanted) {
      const region = borrow(wanted);
      const made: Buffer[] = [];
      const reserve: Reserve = {
        tensorAt(offset, shape, dtype) {
          const tensor = tensorAt(whole, region.address + offset, shape, dtype);
          made.push(tensor.buffer);
          return tensor;
        },
        release() {
          registry.unregister(reserve);
          for (const buffer of made) buffer.retired = true;
          region.release();
        },
      };
      registry.register(reserve, { address: region.address, size: wanted + PADDING }, reserve);
      return reserve;
    },
    used: regions.used,
    close: () => void (isClosed = true),
  };
}

/** Memory that was given back may hold anything. */
function unusable(tensor: Tensor, isClosed: boolean): EinstreamError {
  const what = { place: 'wasm', actual: String(tensor) };
  if (isClosed)
    return fault('E_BACKEND', { ...what, rule: 'a backend must not be used after it was closed', hint: 'make another one' });
  if (tensor.buffer.retired)
    return fault('E_STALE', {
      ...what,
      rule: 'a tensor must not be used after its memory was released',
      hint: 'release it later',
    });
  return fault('E_BACKEND', {
    ...what,
    rule: 'a kernel writes to tensors of its own backend',
    hint: 'allocate outputs with backend.allocate',
  });
}

/** The same values in this memory: the tensor itself if it lies there. */
export function uploaded(memory: WasmMemory, tensor: Tensor): Tensor {
  if (memory.owns(tensor)) return tensor;
  liveArray(tensor); // nothing is taken for what cannot be read
  const copy = memory.allocate(tensor.shape, tensor.dtype);
  copyElements(tensor, copy.buffer.array);
  return copy;
}
