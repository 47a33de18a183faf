/**
 * @file Which slots of a program lie in which buffer of an arena.
 */
import { planBuffers } from '../plan/memory.js';
import type { Prepared } from './prepare.js';
import type { SlotPlan } from './arena.js';

/**
 * The buffer of each slot: its own where frames are seen, shared by lifetime elsewhere. −1 for slots without one: inputs,
 * constants, views, and outputs that are allocated anew for each frame and handed over, so that nothing is copied.
 *
 * @param overwrites for each node, the positions of operands that its kernel may write over
 */
export function shareBuffers(
  prepared: Prepared,
  plans: readonly (SlotPlan | undefined)[],
  homes: Int32Array,
  overwrites: readonly (readonly number[])[],
): Int32Array {
  const { nodes, slots, outputs, borrows, isVisible, backend } = prepared;
  const end = nodes.length;
  const buffers = new Int32Array(plans.length).fill(-1);
  const dies = new Int32Array(plans.length);
  nodes.forEach(({ id, inputs }, at) => {
    for (let k = 0; k < inputs.length; k++) dies[homes[slots[inputs[k]]]] = at;
    // A value that nobody reads is written all the same; a view may be the last to use what it looks at.
    dies[homes[slots[id]]] = at;
  });
  const isFresh = new Uint8Array(plans.length);
  for (const { slot } of outputs) {
    dies[homes[slot]] = end;
    if (!borrows && backend.owns === undefined && homes[slot] === slot) isFresh[slot] = 1;
  }
  const shared: number[] = [];
  const born: number[] = [];
  const over: number[] = [];
  const valueAt = new Int32Array(plans.length).fill(-1);
  nodes.forEach(({ id, inputs }, at) => {
    const slot = slots[id];
    if (plans[slot] === undefined || isFresh[slot] === 1) return;
    valueAt[slot] = shared.push(slot) - 1;
    born.push(at);
    const operands = inputs.map((input) => slots[input]);
    const under = overwrites[at].find((k) => isAlone(operands, k, overwrites[at], homes));
    over.push(under === undefined ? -1 : valueAt[operands[under]]);
  });
  const kindOf = kinds();
  const planned = planBuffers({
    kinds: Int32Array.from(shared, (slot) => kindOf(plans[slot]!)),
    born: Int32Array.from(born),
    dies: Int32Array.from(shared, (slot) => (isVisible ? end : dies[slot])),
    over: Int32Array.from(over),
  });
  shared.forEach((slot, k) => (buffers[slot] = planned.buffers[k]));
  return buffers;
}

/** No operand looks at the same memory in another way, the same value at another position included. */
const isAlone = (operands: readonly number[], k: number, overwrites: readonly number[], homes: Int32Array): boolean =>
  homes[operands[k]] === operands[k] &&
  operands.every((slot, at) => (slot === operands[k] ? overwrites.includes(at) : homes[slot] !== operands[k]));

/** A number for each dtype and element count. */
function kinds(): (plan: SlotPlan) => number {
  const known = new Map<string, number>();
  const byPlan = new Map<SlotPlan, number>(); // nodes that do the same share a plan
  return (plan) => {
    let kind = byPlan.get(plan);
    if (kind !== undefined) return kind;
    const key = `${plan.dtype} ${plan.size}`;
    kind = known.get(key) ?? known.size;
    known.set(key, kind);
    byPlan.set(plan, kind);
    return kind;
  };
}
