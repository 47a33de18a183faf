/**
 * @file The tensors of a WebAssembly backend: one memory that never grows, so that no array over it is ever detached.
 *
 * The memory is reserved whole; pages that nobody touched cost nothing. A region is free again when the last tensor over it
 * is garbage, or when it is released.
 */
import { fault, humanBytes } from '../../errors/index.js';
import { arrayOf, byteSize, type DType, type TypedArray } from '../../tensor/dtype.js';
import { numElements, rowMajorStrides, type Shape } from '../../tensor/shape.js';
import { copyElements, Tensor, type Buffer } from '../../tensor/tensor.js';
import { allocator } from './allocator.js';

/** Bytes of a WebAssembly page. */
const PAGE = 65536;
/** Bytes behind each tensor that kernels may read and write: a vector may reach beyond the last element. */
const PADDING = 64;

export interface WasmMemory {
  readonly memory: WebAssembly.Memory;
  readonly bytes: number;
  /** A contiguous tensor of zeros. */
  readonly allocate: (shape: Shape, dtype: DType) => Tensor;
  /** Frees the memory of a tensor that `allocate` made; every tensor over it is stale from now on. */
  readonly release: (tensor: Tensor) => void;
  /** The tensor's elements lie in this memory. */
  readonly owns: (tensor: Tensor) => boolean;
  /** Byte address of the first element. */
  readonly addressOf: (tensor: Tensor) => number;
  /** A region for the backend's own use, until it is released. */
  readonly borrow: (bytes: number) => { readonly address: number; readonly release: () => void };
  readonly used: () => number;
}

/** Reserves up to `limit` bytes; less, by halves, where the engine refuses so much at once. */
function reserveMemory(limit: number): WebAssembly.Memory {
  for (let pages = Math.ceil(limit / PAGE); ; pages = Math.ceil(pages / 2)) {
    try {
      return new WebAssembly.Memory({ initial: pages, maximum: pages });
    } catch (cause) {
      if (pages <= 16) throw fault('E_OOM', { place: 'wasm', rule: 'memory for the backend must be available', expected: humanBytes(limit), cause });
    }
  }
}

export function wasmMemory(limit: number): WasmMemory {
  const memory = reserveMemory(limit);
  const bytes = memory.buffer.byteLength;
  // Address 0 stays unused, so that no tensor lies there.
  const regions = allocator(PADDING, bytes - PADDING);
  const regionOf = new WeakMap<Buffer, { readonly address: number; readonly size: number }>();
  const registry = new FinalizationRegistry<{ readonly address: number; readonly size: number }>(({ address, size }) => regions.release(address, size));

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
  return {
    memory,
    bytes,
    allocate(shape, dtype) {
      const count = numElements(shape);
      const size = count * byteSize(dtype) + PADDING;
      const address = find(size);
      const array = new (arrayOf(dtype) as unknown as new (buffer: ArrayBuffer, offset: number, length: number) => TypedArray)(memory.buffer, address, count);
      const buffer: Buffer = { array, retired: false };
      regionOf.set(buffer, { address, size });
      registry.register(buffer, { address, size }, buffer);
      array.fill(0 as never); // What lay here before is nobody's business.
      return new Tensor(dtype, Object.isFrozen(shape) ? shape : Object.freeze([...shape]), rowMajorStrides(shape), 0, count, buffer);
    },
    release({ buffer }) {
      const region = regionOf.get(buffer);
      if (region === undefined || buffer.retired) return;
      buffer.retired = true;
      registry.unregister(buffer);
      regions.release(region.address, region.size);
    },
    owns: ({ buffer }) => buffer.array.buffer === memory.buffer,
    addressOf: ({ buffer, offset }) => buffer.array.byteOffset + offset * buffer.array.BYTES_PER_ELEMENT,
    borrow(size) {
      const address = find(size + PADDING);
      return { address, release: () => regions.release(address, size + PADDING) };
    },
    used: regions.used,
  };
}

/** The same values in this memory: the tensor itself if it lies there. */
export function uploaded(memory: WasmMemory, tensor: Tensor): Tensor {
  if (memory.owns(tensor)) return tensor;
  const copy = memory.allocate(tensor.shape, tensor.dtype);
  copyElements(tensor, copy.buffer.array);
  return copy;
}
