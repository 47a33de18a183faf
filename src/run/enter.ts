/**
 * @file Feeds enter a program: each value where its kernels read it.
 */
import { relaid } from '../tensor/relaid.js';
import { isRowMajor, type Tensor } from '../tensor/tensor.js';
import type { Lease } from './arena.js';
import { sameNumbers, type Program } from './program.js';

/** A lease of the program's memory with the feeds in it. @throws EinstreamError E_OOM when there is no room */
export function entered(program: Program, tensors: readonly Tensor[]): Lease {
  const { arenas, prepared } = program;
  const lease = arenas.lease();
  try {
    for (let i = 0; i < tensors.length; i++) lease.values[prepared.inputs[i].slot] = placed(program, i, tensors[i], lease);
    return lease;
  } catch (error) {
    arenas.giveBack(lease);
    throw error;
  }
}

/** One input: a param as it lies there for all, anything else as it is where kernels read it or nobody does, or copied there. */
export function placed({ prepared, defaults, types, unread }: Program, i: number, tensor: Tensor, lease: Lease): Tensor {
  const { backend, inputs } = prepared;
  const { slot, value } = inputs[i];
  if (tensor === defaults[i]) return value!;
  if (backend.owns === undefined || unread[i] === 1) return tensor;
  const { strides, shape } = types[slot];
  const isThere = backend.owns(tensor);
  if (isThere && sameNumbers(tensor.strides, strides)) return tensor;
  // Kernels that were made for a view of the backend's own memory read a copy that lies in the same way.
  return isRowMajor(shape, strides, tensor.size) ? lease.land(slot, tensor) : relaid(tensor, strides);
}
