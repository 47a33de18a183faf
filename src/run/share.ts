/**
 * @file Which slots of a program lie where in an arena: the one plan that runs follow and estimates report.
 */
import type { Sizes } from '../plan/arena/blocks.js';
import type { Backend } from '../backends/index.js';
import { planMemory, type PlacementName } from '../plan/arena/plan.js';
import { byteSize } from '../tensor/dtype.js';
import type { SlotPlan } from './arena.js';
import type { Typed } from './typed.js';

/** The memory of a frame, by slot. */
export interface FrameMemory {
  /**
   * The buffer of each slot: its own where frames are seen, shared by lifetime elsewhere. −1 for slots without one: inputs,
   * constants, views, and outputs that are allocated anew for each frame and handed over, so that nothing is copied.
   */
  readonly buffers: Int32Array;
  /** Where each slot with a buffer begins in the arena, in bytes; undefined where buffers are pieces of memory of their own. */
  readonly offsets: Float64Array | undefined;
  /** Of all buffers, or of the arena. */
  readonly bytes: number;
  /** When there are how many bytes of them: values that are written over one another count once. */
  readonly blocks: Sizes;
  /** What each slot's kernel needs of memory; undefined for what no kernel writes. */
  readonly plans: readonly (SlotPlan | undefined)[];
  /** Position of the last step that reads what lies in a slot's buffer; the count of steps for outputs. */
  readonly dies: Int32Array;
}

/** An array of bytes may not be longer everywhere. */
const LARGEST_ARENA = 2 ** 31;

export function shareBuffers({ prepared, homes, works }: Typed): FrameMemory {
  const { nodes, slots, slotCount, isVisible, backend, placement } = prepared;
  const end = nodes.length;
  const plans = new Array<SlotPlan | undefined>(slotCount).fill(undefined);
  nodes.forEach(({ id }, at) => (plans[slots[id]] = works[at].plan));
  const dies = lastUses(prepared, homes);
  const isFresh = handedOver(prepared, homes);
  const shared: number[] = [];
  const born: number[] = [];
  const over: number[] = [];
  const valueAt = new Int32Array(slotCount).fill(-1);
  nodes.forEach(({ id, inputs }, at) => {
    const slot = slots[id];
    if (plans[slot] === undefined || isFresh[slot] === 1) return;
    valueAt[slot] = shared.push(slot) - 1;
    born.push(at);
    const { overwrites } = works[at];
    const operands = inputs.map((input) => slots[input]);
    const under = overwrites.find((k) => isAlone(operands, k, overwrites, homes));
    over.push(under === undefined ? -1 : valueAt[operands[under]]);
  });
  const kindOf = kinds();
  const lifetimes = {
    kinds: Int32Array.from(shared, (slot) => kindOf(plans[slot]!)),
    born: Int32Array.from(born),
    dies: Int32Array.from(shared, (slot) => (isVisible ? end : dies[slot])),
    over: Int32Array.from(over),
  };
  const { alignment, padding } = backend.placing ?? { alignment: 1, padding: 0 };
  const planned = planMemory(
    lifetimes,
    Float64Array.from(shared, (slot) => bytesOf(plans[slot]!)),
    {
      // What is seen may be handed out for good, buffer by buffer.
      placement: placementFor(backend, isVisible, placement),
      rounded: (bytes) => Math.ceil((bytes + padding) / alignment) * alignment,
      most: LARGEST_ARENA,
    },
  );
  const buffers = new Int32Array(slotCount).fill(-1);
  const offsets = planned.offsets && new Float64Array(slotCount);
  shared.forEach((slot, k) => {
    buffers[slot] = planned.buffers[k];
    if (offsets !== undefined) offsets[slot] = planned.offsets![k];
  });
  return { buffers, offsets, bytes: planned.bytes, blocks: planned.blocks, plans, dies };
}

const placementFor = ({ placing }: Backend, isVisible: boolean, placement: PlacementName): PlacementName =>
  placing === undefined || isVisible ? 'exactFit' : placing.isShared === true && placement === 'auto' ? 'bestFit' : placement;

const bytesOf = ({ size, dtype }: SlotPlan): number => size * byteSize(dtype);

function lastUses({ nodes, slots, outputs, slotCount }: Typed['prepared'], homes: Int32Array): Int32Array {
  const dies = new Int32Array(slotCount);
  nodes.forEach(({ id, inputs }, at) => {
    for (let k = 0; k < inputs.length; k++) dies[homes[slots[inputs[k]]]] = at;
    // A value that nobody reads is written all the same; a view may be the last to use what it looks at.
    dies[homes[slots[id]]] = at;
  });
  for (const { slot } of outputs) dies[homes[slot]] = nodes.length;
  return dies;
}

/** 1 for outputs that are allocated for each frame anew. */
function handedOver({ outputs, borrows, backend, slotCount }: Typed['prepared'], homes: Int32Array): Uint8Array {
  const isFresh = new Uint8Array(slotCount);
  if (borrows || backend.owns !== undefined) return isFresh;
  for (const { slot } of outputs) if (homes[slot] === slot) isFresh[slot] = 1;
  return isFresh;
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
