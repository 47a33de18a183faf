/**
 * @file Incremental computation: values of the last time are kept, and a node runs only when an input of it changed.
 */
import { hostCopy } from '../tensor/host-copy.js';
import type { Tensor } from '../tensor/tensor.js';
import type { Lease } from './arena.js';
import type { Outputs } from './feeds.js';
import type { Frame } from './frame.js';
import type { Prepared } from './prepare.js';
import { fits, specialize, type Program } from './program.js';
import { nodeError } from './step.js';

/** Computes with new inputs; gives outputs when one of them changed, undefined when none did. */
export function incremental(
  prepared: Prepared,
  specialized?: (program: Program) => void,
): (tensors: readonly Tensor[]) => Outputs | undefined {
  let frame: Frame | undefined;
  let outputs: Outputs | undefined;
  const changed = new Uint8Array(prepared.slotCount);
  return (tensors) => {
    if (frame === undefined || !fits(frame.program, tensors)) {
      frame = keptFrame(specialize(prepared, tensors));
      specialized?.(frame.program);
      changed.fill(1);
    } else changed.fill(0);
    const { values } = frame;
    prepared.inputs.forEach(({ slot }, i) => {
      const before = values[slot];
      if (before !== undefined && changed[slot] === 0 && sameElements(before, tensors[i])) return;
      changed[slot] = 1;
      values[slot] = tensors[i];
    });
    const { nodes, slots } = prepared;
    for (let at = 0; at < nodes.length; at++) {
      const node = nodes[at];
      const slot = slots[node.id];
      if (changed[slot] === 0 && !node.inputs.some((id) => changed[slots[id]] === 1)) continue;
      const before = values[slot];
      try {
        void frame.program.actions[at](frame);
      } catch (error) {
        // Half of the values are new: nothing of them may be reused.
        frame = undefined;
        throw nodeError(node, error);
      }
      const same = before !== undefined && sameElements(before, values[slot]!);
      if (same) values[slot] = before;
      changed[slot] = same ? 0 : 1;
    }
    const isNews = outputs === undefined || prepared.outputs.some(({ slot }) => changed[slot] === 1);
    if (!isNews) return undefined;
    const result = Object.create(null) as Record<string, Tensor>;
    for (const { key, slot } of prepared.outputs) {
      const value = values[slot]!;
      // An output that did not change is the tensor that was given before, also where it is a copy.
      const isKept = outputs !== undefined && changed[slot] === 0;
      result[key] = isKept ? outputs![key] : prepared.backend.owns?.(value) === true ? hostCopy(value) : value;
    }
    return (outputs = result);
  };
}

/** A frame outside any arena: each result is a tensor of its own, so that values of the last time stay as they are. */
function keptFrame(program: Program): Frame {
  const { prepared, types } = program;
  const values = new Array<Tensor | undefined>(prepared.slotCount);
  for (const { slot, value } of prepared.constants) values[slot] = value;
  const lease: Lease = {
    values,
    holder: undefined,
    running: 0,
    take: (slot) => prepared.backend.allocate(types[slot].shape, types[slot].dtype),
    land: (_, feed) => feed,
    giveAway: () => undefined,
  };
  const frame: Frame = { index: 0, program, values, lease, flights: undefined };
  lease.holder = frame;
  return frame;
}

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
