/**
 * @file Arenas: the buffers of intermediate values, one set for each frame in flight, leased and returned.
 */
import { byteSize, type ComputedDType } from '../tensor/dtype.js';
import { rowMajorStrides, type Shape } from '../tensor/shape.js';
import { Tensor, type Buffer } from '../tensor/tensor.js';
import type { Prepared } from './prepare.js';

export interface SlotPlan {
  readonly shape: Shape;
  readonly dtype: ComputedDType;
  readonly size: number;
  /** Buffer of the arena; −1 for a value that is allocated anew for each frame. */
  readonly buffer: number;
}

/** One set of buffers, and the values of the frame that holds it. */
export interface Lease {
  readonly values: (Tensor | undefined)[];
  /** The tensor that the slot's kernel writes. */
  take(slot: number): Tensor;
  /** Hands a slot's tensor out for good: the arena makes another one when it needs it. */
  giveAway(slot: number): void;
  /** The frame that holds the lease; undefined while it lies in the pool. */
  holder: object | undefined;
}

export interface Arenas {
  /** Bytes of one set of buffers. */
  readonly bytes: number;
  lease(): Lease;
  giveBack(lease: Lease): void;
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

export function arenas(prepared: Prepared, plans: readonly (SlotPlan | undefined)[]): Arenas {
  const idle: Lease[] = [];
  const bytes = bytesOf(plans);
  return {
    bytes,
    lease() {
      const lease = idle.pop() ?? newLease(prepared, plans);
      lease.holder = lease;
      live.frames++;
      live.bytes += bytes;
      return lease;
    },
    giveBack(lease) {
      if (lease.holder === undefined) return;
      lease.holder = undefined;
      live.frames--;
      live.bytes -= bytes;
      // Feeds and outputs are not ours to keep alive.
      for (const { slot } of prepared.inputs) lease.values[slot] = undefined;
      for (const { slot } of prepared.outputs) lease.values[slot] = undefined;
      for (const { slot, value } of prepared.constants) lease.values[slot] = value;
      if (idle.length < IDLE) idle.push(lease);
    },
  };
}

function bytesOf(plans: readonly (SlotPlan | undefined)[]): number {
  const sizes = new Map<number, number>();
  for (const plan of plans) if (plan !== undefined && plan.buffer >= 0) sizes.set(plan.buffer, plan.size * byteSize(plan.dtype));
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

function newLease(prepared: Prepared, plans: readonly (SlotPlan | undefined)[]): Lease {
  const { backend, slotCount } = prepared;
  const tensors = new Array<Tensor | undefined>(slotCount);
  const buffers = new Map<number, Buffer>();
  const values = new Array<Tensor | undefined>(slotCount);
  for (const { slot, value } of prepared.constants) values[slot] = value;
  return {
    values,
    holder: undefined,
    take: (slot) => tensors[slot] ?? allocate(slot),
    giveAway(slot) {
      const plan = plans[slot];
      if (plan === undefined || plan.buffer < 0) return;
      tensors[slot] = undefined;
      buffers.delete(plan.buffer);
    },
  };

  function allocate(slot: number): Tensor {
    const plan = plans[slot]!;
    if (plan.buffer < 0) return backend.allocate(plan.shape, plan.dtype);
    const shared = buffers.get(plan.buffer);
    const tensor = shared === undefined ? backend.allocate(plan.shape, plan.dtype) : new Tensor(plan.dtype, plan.shape, rowMajorStrides(plan.shape), 0, plan.size, shared);
    if (shared === undefined) buffers.set(plan.buffer, tensor.buffer);
    tensors[slot] = tensor;
    return tensor;
  }
}
