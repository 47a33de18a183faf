/**
 * @file The tensors of a device: allocated by name alone, filled by kernels, fetched when the host asks for them.
 */
import { describeValue, fault } from '../../errors/index.js';
import { isComputed, type DType } from '../../tensor/dtype.js';
import { numElements, rowMajorStrides, type Shape } from '../../tensor/shape.js';
import { packed, Tensor } from '../../tensor/tensor.js';
import type { DeviceMemory } from '../backend.js';
import { DeviceBuffer, type Live } from './deviceBuffer.js';
import type { Instance } from './instance.js';
import type { Handle } from './library.js';
import { within } from './within.js';

/** What a `gpu` backend holds and has done. */
export interface GpuStatistics {
  /** Values that lie on the device now, and their bytes. */
  readonly handles: number;
  readonly handleBytes: number;
  /** Values that came back to the host, and those that were brought to the device to stay. */
  readonly readbacks: number;
  readonly uploads: number;
  /** Kernels that ran. */
  readonly launches: number;
  /** Compiled kernels that are kept. */
  readonly kernels: number;
}

export interface Counters {
  readbacks: number;
  uploads: number;
  launches: number;
}

export interface Device extends DeviceMemory {
  readonly allocate: (shape: Shape, dtype: DType) => Tensor;
  /** A copy that stays on the device once a kernel has read it. */
  readonly upload: (tensor: Tensor) => Tensor;
  readonly owns: (tensor: Tensor) => boolean;
  readonly release: (tensor: Tensor) => void;
  /** Elements that lie on the device alone. @throws EinstreamError E_TIMEOUT, or what went wrong on the device */
  readonly read: (handle: Handle) => Promise<Float32Array>;
  /** Frees everything. */
  readonly closed: () => void;
  readonly live: Live;
}

export const bufferOf = ({ buffer }: Tensor): DeviceBuffer | undefined => (buffer instanceof DeviceBuffer ? buffer : undefined);

export function device(instance: Instance, counters: Counters, readTimeout: number): Device {
  const live: Live = { handles: 0, bytes: 0 };
  // Weak, as a tensor that is garbage has nothing to forget.
  const buffers = new Set<WeakRef<DeviceBuffer>>();
  const resident = new WeakMap<Tensor, Tensor>();
  const abandoned = new FinalizationRegistry<{ readonly ref: WeakRef<DeviceBuffer> }>(({ ref }) => void buffers.delete(ref));

  const allocate = (shape: Shape, dtype: DType): Tensor => {
    if (!isComputed(dtype))
      throw fault('E_DTYPE', { place: 'gpu', rule: 'graphs compute with computed dtypes alone', actual: describeValue(dtype) });
    const size = numElements(shape);
    const buffer = new DeviceBuffer(dtype, size, live);
    const ref = new WeakRef(buffer);
    buffers.add(ref);
    abandoned.register(buffer, { ref });
    const own = Object.isFrozen(shape) ? shape : Object.freeze([...shape]);
    return new Tensor(dtype, own, rowMajorStrides(shape), 0, size, buffer);
  };
  // Params are brought to the next device when they are needed.
  instance.onLoss(() => {
    for (const ref of buffers) ref.deref()?.forget();
  });
  const read = async (handle: Handle): Promise<Float32Array> => {
    const epoch = instance.epoch();
    counters.readbacks++;
    const elements = await within(readTimeout, handle.toArray());
    instance.requireSound(epoch);
    return elements;
  };
  const fetching = new WeakMap<DeviceBuffer, Promise<void>>();
  const fetched = async (buffer: DeviceBuffer): Promise<void> => {
    buffer.requireKept();
    const { generation, handle } = buffer;
    if (handle === undefined || buffer.host !== undefined) return;
    const epoch = instance.epoch();
    try {
      const elements = await read(handle);
      if (buffer.generation === generation && buffer.handle === handle) buffer.land(elements);
    } catch (cause) {
      const error = instance.failed(cause, epoch);
      // Nobody waits for what was given up.
      if (buffer.generation === generation) throw error;
    }
  };
  const fetch = (buffer: DeviceBuffer): Promise<void> => {
    const pending = fetching.get(buffer);
    if (pending !== undefined) return pending;
    const promise = fetched(buffer).finally(() => fetching.delete(buffer));
    fetching.set(buffer, promise);
    return promise;
  };
  return {
    live,
    allocate,
    upload(tensor) {
      if (bufferOf(tensor) !== undefined) return tensor;
      let copy = resident.get(tensor);
      if (copy === undefined || copy.buffer.retired) {
        copy = allocate(tensor.shape, tensor.dtype);
        const buffer = bufferOf(copy)!;
        buffer.isKept = true;
        (buffer.array as Float32Array).set(packed(tensor) as Float32Array);
        resident.set(tensor, copy);
      }
      return copy;
    },
    owns: (tensor) => bufferOf(tensor) !== undefined,
    release({ buffer }) {
      if (!(buffer instanceof DeviceBuffer)) return;
      buffer.discard();
      buffer.retired = true;
    },
    async fetch(tensors) {
      const buffers = tensors.map(bufferOf).filter((buffer) => buffer !== undefined);
      await Promise.all(buffers.map(fetch));
    },
    open: (tensor) => bufferOf(tensor)?.open(),
    discard(tensor) {
      const buffer = bufferOf(tensor);
      if (buffer?.isKept === false) buffer.discard();
    },
    read,
    closed() {
      for (const ref of buffers) ref.deref()?.discard();
    },
  };
}
