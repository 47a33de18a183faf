/**
 * @file Incremental computation: values of the last time are kept, and a node runs only when an input of it changed.
 */
import { hostCopy } from '../tensor/host-copy.js';
import type { DType } from '../tensor/dtype.js';
import type { Shape } from '../tensor/shape.js';
import { copyElements, type Tensor } from '../tensor/tensor.js';
import type { Lease } from './arena.js';
import { placed } from './enter.js';
import type { Outputs } from './feeds.js';
import type { Frame } from './frame.js';
import { chooserOf } from './choose.js';
import type { Prepared, PreparedOutput } from './prepare.js';
import { sameNumbers, type Program } from './program.js';
import { withRoom } from './room.js';
import { nodeError } from './step.js';

/** Values that are kept from one time to the next. */
export interface Incremental {
  /** Computes with new inputs; gives outputs when one of them changed, undefined when none did. */
  readonly compute: (tensors: readonly Tensor[]) => Outputs | undefined;
  /** Lets go of all values. */
  readonly end: () => void;
}

export function incremental(asked: Prepared, specialized?: (program: Program) => void): Incremental {
  let kept: Kept | undefined;
  let fed: readonly Tensor[] = [];
  let outputs: Outputs | undefined;
  // Another program has just taken over: nothing is known of what changed.
  let isFresh = true;
  const choose = chooserOf(asked);
  const changed = new Uint8Array(asked.slotCount);
  const end = (): void => {
    kept?.frame.lease.free();
    kept = undefined;
  };
  const begin = (program: Program): void => {
    end();
    kept = keptFrame(program);
    specialized?.(program);
    changed.fill(1);
    isFresh = true;
  };
  const compute = (tensors: readonly Tensor[]): Outputs | undefined => {
    const program = choose.next(tensors);
    if (kept?.frame.program === program) changed.fill(0);
    else begin(program);
    try {
      return computed(tensors);
    } catch (error) {
      // Half of the values are new: nothing of them may be reused.
      end();
      begin(choose.instead(program, tensors, error));
    }
    try {
      return computed(tensors);
    } catch (error) {
      end();
      throw error;
    }
  };
  const computed = (tensors: readonly Tensor[]): Outputs | undefined => {
    const { frame, sweep } = kept!;
    const { values, lease, program } = frame;
    const { backend, inputs } = program.prepared;
    inputs.forEach(({ slot }, i) => {
      const before = values[slot];
      if (before !== undefined && changed[slot] === 0 && (fed[i] === tensors[i] || sameElements(before, tensors[i]))) return;
      changed[slot] = 1;
      values[slot] = placed(program, i, tensors[i], lease);
    });
    fed = tensors;
    const { nodes, slots, outputs: keys } = program.prepared;
    for (let at = 0; at < nodes.length; at++) {
      const node = nodes[at];
      const slot = slots[node.id];
      if (changed[slot] === 0 && !node.inputs.some((id) => changed[slots[id]] === 1)) continue;
      const before = values[slot];
      try {
        void program.actions[at](frame);
      } catch (error) {
        throw nodeError(node, error);
      }
      const same = before !== undefined && sameElements(before, values[slot]!);
      if (same) values[slot] = before;
      changed[slot] = same ? 0 : 1;
    }
    sweep();
    const isKept = ({ key, slot }: PreparedOutput): boolean =>
      outputs !== undefined && (changed[slot] === 0 || (isFresh && sameValue(outputs[key], values[slot]!)));
    const same = keys.map(isKept);
    isFresh = false;
    if (outputs !== undefined && same.every(Boolean)) return undefined;
    const result = Object.create(null) as Record<string, Tensor>;
    keys.forEach(({ key, slot }, k) => {
      const value = values[slot]!;
      // An output that did not change is the tensor that was given before, also where it is a copy.
      result[key] = same[k] ? outputs![key] : backend.owns?.(value) === true ? hostCopy(value) : value;
    });
    return (outputs = result);
  };
  return { compute, end };
}

interface Kept {
  readonly frame: Frame;
  /** Frees what is no value any more. */
  readonly sweep: () => void;
}

/** A frame outside any arena: each result is a tensor of its own, so that values of the last time stay as they are. */
function keptFrame(program: Program): Kept {
  const { prepared, types } = program;
  const { backend } = prepared;
  // What a view looks at stays as long as the view is a value. Where nothing is to be freed, nothing is remembered.
  const held = new Set<Tensor>();
  const allocate = (shape: Shape, dtype: DType): Tensor => {
    const tensor = withRoom(backend, () => backend.allocate(shape, dtype));
    if (backend.release !== undefined) held.add(tensor);
    return tensor;
  };
  const freeUnless = (isUsed: (tensor: Tensor) => boolean): void => {
    for (const tensor of held) {
      if (isUsed(tensor)) continue;
      held.delete(tensor);
      backend.release?.(tensor);
    }
  };
  const values = new Array<Tensor | undefined>(prepared.slotCount);
  for (const { slot, value } of prepared.constants) values[slot] = value;
  const lease: Lease = {
    values,
    copies: new Map<Tensor, Tensor>(),
    holder: undefined,
    running: 0,
    take: (slot) => allocate(types[slot].shape, types[slot].dtype),
    land(_, feed) {
      const landed = allocate(feed.shape, feed.dtype);
      copyElements(feed, landed.buffer.array);
      return landed;
    },
    giveAway: () => undefined,
    vacate: () => undefined,
    free: () => freeUnless(() => false),
  };
  const frame: Frame = { index: 0, program, values, lease, flights: undefined };
  lease.holder = frame;
  return {
    frame,
    sweep() {
      if (held.size === 0) return;
      const buffers = new Set(values.map((value) => value?.buffer));
      freeUnless(({ buffer }) => buffers.has(buffer));
    },
  };
}

const sameValue = (a: Tensor, b: Tensor): boolean => a.dtype === b.dtype && sameNumbers(a.shape, b.shape) && sameElements(a, b);

/** Bit for bit, so that NaN equals itself and −0 differs from 0; views over the same memory are compared by layout. */
function sameElements(a: Tensor, b: Tensor): boolean {
  if (a.size !== b.size) return false;
  if (a.buffer === b.buffer) return a.offset === b.offset;
  if (!a.isContiguous || !b.isContiguous) return false;
  const x = a.buffer.array;
  const y = b.buffer.array;
  for (let i = 0; i < a.size; i++) if (!Object.is(x[a.offset + i], y[b.offset + i])) return false;
  return true;
}
