/**
 * @file Arenas: the buffers of intermediate values, one set for each frame in flight, leased and returned.
 */
import type { Reserve } from '../backends/backend.js';
import type { ComputedDType } from '../tensor/dtype.js';
import { rowMajorStrides, type Shape } from '../tensor/shape.js';
import { copyElements, Tensor } from '../tensor/tensor.js';
import type { Prepared } from './prepare.js';
import { offer, withRoom } from './room.js';
import type { FrameMemory } from './share.js';

/** What a computed value needs of memory. Nodes that do the same share one. */
export interface SlotPlan {
  readonly shape: Shape;
  readonly dtype: ComputedDType;
  readonly size: number;
}

/** One set of buffers, and the values of the frame that holds it. */
export interface Lease {
  readonly values: (Tensor | undefined)[];
  /** Copies of values in ordinary arrays, for those who asked: the same copy each time, until the next kernel writes. */
  readonly copies: Map<Tensor, Tensor>;
  /** The tensor that the slot's kernel writes. */
  take(slot: number): Tensor;
  /** A feed's elements where the backend's kernels read them: a copy in the arena, for backends with memory of their own. */
  land(slot: number, feed: Tensor): Tensor;
  /** Hands a slot's tensor out for good: the arena makes another one when it needs it. */
  giveAway(slot: number): void;
  /** What a device holds for it is free; kernels that are still to write find that nobody waits. */
  vacate(): void;
  /** Frees what a backend with memory of its own has allocated for it. */
  free(): void;
  /** The frame that holds the lease; undefined while it lies in the pool. */
  holder: object | undefined;
  /** Asynchronous kernels that write here. Buffers given back before these are done are never lent again. */
  running: number;
}

export interface Arenas {
  /** Bytes of one set of buffers. */
  readonly bytes: number;
  lease(): Lease;
  giveBack(lease: Lease): void;
  /** The asynchronous kernel that was counted in `lease.running` is done. */
  settled(lease: Lease): void;
  /** Calls `act` once no frame and no kernel uses the arenas, now or later, and frees them: they are not leased any more. */
  whenUnused(act: () => void): void;
}

/** What frames in flight hold, over all runs: zero whenever nothing runs. */
const live = { frames: 0, bytes: 0 };

/**
 * Buffers that frames in flight hold at this moment, in all runs of this realm.
 *
 * ```ts
 * liveMemory() // => { frames: 0, bytes: 0 }
 * ```
 */
export const liveMemory = (): { readonly frames: number; readonly bytes: number } => ({ ...live });

/** Idle sets of buffers kept by one program: enough for the frames that are usually in flight. */
const IDLE = 8;

export function arenas(prepared: Prepared, memory: FrameMemory): Arenas {
  const idle: Lease[] = [];
  const most = prepared.backend.placing?.isShared === true ? 0 : IDLE;
  offer(prepared.backend, idle);
  const { bytes } = memory;
  let inUse = 0;
  let unused: (() => void) | undefined;
  let isLast = false;
  const leave = ({ holder, running }: Lease): void => {
    if (holder === undefined && running === 0 && --inUse === 0) unused?.();
  };
  return {
    bytes,
    lease() {
      const lease = idle.pop() ?? newLease(prepared, memory);
      lease.holder = lease;
      inUse++;
      live.frames++;
      live.bytes += bytes;
      return lease;
    },
    giveBack(lease) {
      if (lease.holder === undefined) return;
      lease.holder = undefined;
      live.frames--;
      live.bytes -= bytes;
      leave(lease);
      lease.vacate();
      // What a kernel still writes is left to the collector.
      if (lease.running > 0) return;
      if (lease.copies.size > 0) lease.copies.clear(); // clearing allocates, also where there is nothing
      if (isLast || idle.length >= most) return lease.free();
      // Where middleware sees values, the last frame's must not stand in for one that a step forgot to give.
      if (prepared.isVisible) lease.values.fill(undefined);
      // Feeds and outputs are not ours to keep alive.
      for (const { slot } of prepared.inputs) lease.values[slot] = undefined;
      for (const { slot } of prepared.outputs) lease.values[slot] = undefined;
      for (const { slot, value } of prepared.constants) lease.values[slot] = value;
      idle.push(lease);
    },
    settled(lease) {
      lease.running--;
      leave(lease);
    },
    whenUnused(act) {
      isLast = true;
      const end = (): void => {
        act();
        for (const lease of idle.splice(0)) lease.free();
      };
      if (inUse === 0) end();
      else unused = end;
    },
  };
}

function newLease(prepared: Prepared, { plans, buffers, offsets, bytes }: FrameMemory): Lease {
  const { backend, slotCount } = prepared;
  const tensors = new Array<Tensor | undefined>(slotCount);
  // The last tensor over each buffer, or at each offset: most slots that share one have the same shape, and then share the tensor too.
  const held = new Map<number, Tensor>();
  let reserved: Reserve | undefined;
  const copies = new Map<Tensor, Tensor>();
  const values = new Array<Tensor | undefined>(slotCount);
  for (const { slot, value } of prepared.constants) values[slot] = value;
  const lease: Lease = {
    values,
    copies,
    holder: undefined,
    running: 0,
    take(slot) {
      if (copies.size > 0) copies.clear();
      return tensors[slot] ?? allocate(slot);
    },
    land(slot, feed) {
      if (copies.size > 0) copies.clear();
      const landed = (tensors[slot] ??= withRoom(backend, () => backend.allocate(feed.shape, feed.dtype)));
      backend.device?.open(landed);
      copyElements(feed, landed.buffer.array);
      return landed;
    },
    giveAway(slot) {
      tensors[slot] = undefined;
      held.delete(buffers[slot]);
    },
    vacate() {
      if (backend.device !== undefined) for (const tensor of tensors) if (tensor !== undefined) backend.device.discard(tensor);
    },
    free() {
      if (backend.release !== undefined) for (const tensor of tensors) if (tensor !== undefined) backend.release(tensor);
      reserved?.release();
      reserved = undefined;
      tensors.fill(undefined);
      held.clear();
    },
  };
  // Another backend can take over before the first step, but not among the steps.
  if (prepared.instead !== undefined) reserve();
  return lease;

  function reserve(): void {
    try {
      for (let slot = 0; slot < slotCount; slot++) if (buffers[slot] >= 0) allocate(slot);
    } catch (error) {
      lease.free();
      throw error;
    }
  }

  function allocate(slot: number): Tensor {
    const { shape, dtype, size } = plans[slot]!;
    const buffer = buffers[slot];
    // Only ordinary arrays are made anew for each frame, and those know no limit of a backend's.
    if (buffer < 0) return backend.allocate(shape, dtype);
    const at = offsets === undefined ? buffer : offsets[slot];
    let tensor = held.get(at);
    if (tensor === undefined || tensor.dtype !== dtype || tensor.size !== size)
      tensor = offsets === undefined ? withRoom(backend, () => backend.allocate(shape, dtype)) : within(at, shape, dtype);
    else if (tensor.shape !== shape) tensor = new Tensor(dtype, shape, rowMajorStrides(shape), 0, size, tensor.buffer);
    held.set(at, tensor);
    tensors[slot] = tensor;
    return tensor;
  }

  function within(offset: number, shape: Shape, dtype: ComputedDType): Tensor {
    reserved ??= withRoom(backend, () => backend.placing!.reserve(bytes));
    return reserved.tensorAt(offset, shape, dtype);
  }
}
