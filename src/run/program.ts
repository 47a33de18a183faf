/**
 * @file A program: a prepared graph specialised to the shapes of its feeds. Kernels in order, buffers planned.
 */
import { EinstreamError, fault } from '../errors/index.js';
import { lower, materialize } from '../codegen/lower.js';
import type { Kernel } from '../backends/index.js';
import { bindInputs } from '../graph/bind.js';
import { placeOf, type NodeId, type OpNode } from '../graph/graph.js';
import { inferNode, type ValueType } from '../graph/infer.js';
import { isStatic } from '../ops/dims.js';
import { findOp } from '../ops/registry.js';
import { planBuffers } from '../plan/memory.js';
import { numElements, rowMajorStrides, type Shape } from '../tensor/shape.js';
import type { ComputedDType } from '../tensor/dtype.js';
import type { Layout } from '../tensor/layout.js';
import type { Tensor } from '../tensor/tensor.js';
import { kernelAction, viewAction, type Action } from './action.js';
import { arenas, type Arenas, type SlotPlan } from './arena.js';
import type { Prepared } from './prepare.js';

/** What the kernels were made for: layout and dtype of each input, in order. */
export interface Signature {
  readonly dtype: ComputedDType;
  readonly shape: Shape;
  readonly strides: readonly number[];
}

export interface Program {
  readonly prepared: Prepared;
  readonly signature: readonly Signature[];
  /** One for each of `prepared.nodes`. */
  readonly actions: readonly Action[];
  readonly arenas: Arenas;
  /** For each slot, the slot whose buffer holds its elements: another one for views. */
  readonly homes: Int32Array;
  /** Type and layout of each slot. */
  readonly types: readonly Signature[];
  /** 1 for slots whose tensor is allocated anew for each frame. */
  readonly fresh: Uint8Array;
  readonly dispose: () => void;
}

/** True when the program was made for tensors like these. */
export function fits(program: Program, tensors: readonly Tensor[]): boolean {
  const { signature } = program;
  for (let i = 0; i < signature.length; i++) {
    const expected = signature[i]!;
    const tensor = tensors[i]!;
    if (tensor.dtype !== expected.dtype || !sameNumbers(tensor.shape, expected.shape) || !sameNumbers(tensor.strides, expected.strides)) return false;
  }
  return true;
}

export function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

const keyOf = (tensors: readonly Tensor[]): string => tensors.map(({ dtype, shape, strides }) => `${dtype}(${shape.join()};${strides.join()})`).join();

/** The program for these feeds, from the cache or made now. */
export function specialize(prepared: Prepared, tensors: readonly Tensor[]): Program {
  const key = keyOf(tensors);
  return prepared.programs.get(key) ?? prepared.programs.set(key, build(prepared, tensors));
}

/** A type whose shape is known, with the strides by which it will be read. */
interface Located {
  readonly dtype: ComputedDType;
  readonly shape: Shape;
  readonly strides: readonly number[];
  /** Slot whose buffer holds the elements: another one for views. */
  readonly home: number;
}

function build(prepared: Prepared, tensors: readonly Tensor[]): Program {
  const { graph, slots } = prepared;
  const located = new Array<Located | undefined>(prepared.slotCount);
  const locate = (slot: number, { dtype, shape, strides }: Tensor): void => {
    located[slot] = { dtype: dtype as ComputedDType, shape, strides, home: slot };
  };
  bindFeeds(prepared, tensors);
  prepared.inputs.forEach(({ slot }, i) => locate(slot, tensors[i]!));
  for (const { slot, value } of prepared.constants) locate(slot, value);
  const plans = new Array<SlotPlan | undefined>(prepared.slotCount);
  const kernels: Kernel[] = [];
  const actions = prepared.nodes.map((node) => {
    const inputs = node.inputs.map((id) => slots[id]!);
    const slot = slots[node.id]!;
    const { action, result, plan } = specializeNode(prepared, node, inputs.map((input) => located[input]!), inputs, slot, kernels);
    located[slot] = result;
    plans[slot] = plan;
    return action;
  });
  const own = (slot: number): number => located[slot]!.home;
  const planned = sharing(prepared, plans, own);
  return {
    prepared,
    signature: tensors.map(({ dtype, shape, strides }) => ({ dtype: dtype as ComputedDType, shape, strides })),
    actions,
    arenas: arenas(prepared, planned),
    fresh: Uint8Array.from(planned, (plan) => (plan !== undefined && plan.buffer < 0 ? 1 : 0)),
    homes: Int32Array.from(located, (each) => each!.home),
    types: located as readonly Located[],
    dispose: () => kernels.forEach((kernel) => kernel.dispose()),
  };
}

/** Feeds against declarations: rank, sizes, symbols, dtypes. */
function bindFeeds({ graph, inputs }: Prepared, tensors: readonly Tensor[]): void {
  const given = new Map<NodeId, ValueType>(inputs.map(({ node }, i) => [node.id, { dims: tensors[i]!.shape, dtype: tensors[i]!.dtype as ComputedDType }]));
  try {
    bindInputs(graph, given);
  } catch (error) {
    if (error instanceof EinstreamError) throw new EinstreamError('E_FEED', { ...error.diagnostic, code: 'E_FEED' }, { nodeId: error.nodeId, cause: error });
    throw error;
  }
}

function specializeNode(prepared: Prepared, node: OpNode, types: readonly Located[], inputs: readonly number[], slot: number, kernels: Kernel[]): { readonly action: Action; readonly result: Located; readonly plan: SlotPlan | undefined } {
  const { dims, dtype } = inferNode(node, types.map(({ dtype: each, shape }) => ({ dtype: each, dims: shape })));
  if (dims === undefined || dtype === undefined || !isStatic(dims)) {
    throw fault('E_SHAPE', { ...placeOf(node), rule: 'feeds of known shape must give a known shape', actual: dims === undefined ? 'unknown rank' : `[${dims.map(String).join(', ')}]` });
  }
  const size = numElements(dims);
  const shape = Object.freeze([...dims]);
  const made = lower({ op: findOp(node.op)!, params: node.params, inputs: types, output: { shape, dtype } });
  // Middleware may assign any value to a node; elements that a view repeats could not hold it.
  const lowered = made.kind === 'view' && prepared.isVisible && repeats(made.layout) ? materialize(made.layout, dtype) : made;
  if (lowered.kind === 'view') {
    const { layout } = lowered;
    const result = { dtype, shape: layout.shape, strides: layout.strides, home: types[0]!.home };
    return { action: viewAction(inputs[0]!, slot, layout, size), result, plan: undefined };
  }
  const compiled = lowered.calls.map(({ ir }) => {
    const kernel = prepared.backend.compile(ir);
    kernels.push(kernel);
    return kernel;
  });
  return {
    action: kernelAction(lowered, compiled, inputs, slot, prepared.backend),
    result: { dtype, shape, strides: rowMajorStrides(shape), home: slot },
    plan: { shape, dtype, size, buffer: -1 },
  };
}

/** Gives each computed slot a buffer: its own where frames are seen, shared by lifetime elsewhere, none for fresh outputs. */
function sharing(prepared: Prepared, plans: readonly (SlotPlan | undefined)[], own: (slot: number) => number): readonly (SlotPlan | undefined)[] {
  const { nodes, slots, outputs, borrows, isVisible } = prepared;
  const end = nodes.length;
  const born = new Map(nodes.map((node, at) => [slots[node.id]!, at]));
  const dies = new Int32Array(plans.length).fill(-1);
  nodes.forEach((node, at) => {
    for (const id of node.inputs) dies[own(slots[id]!)] = at;
    dies[own(slots[node.id]!)] = Math.max(dies[own(slots[node.id]!)]!, at);
  });
  const planned = [...plans];
  const fresh = new Set<number>();
  for (const { slot } of outputs) {
    dies[own(slot)] = end;
    // A copied output that a kernel writes is allocated anew for each frame and handed over: no copy at all.
    if (!borrows && own(slot) === slot && plans[slot] !== undefined) fresh.add(slot);
  }
  const computed = [...born.keys()].filter((slot) => plans[slot] !== undefined && !fresh.has(slot));
  const { buffers } = planBuffers(computed.map((slot) => ({ slot, kind: plans[slot]!.dtype, size: plans[slot]!.size, born: born.get(slot)!, dies: isVisible ? end : dies[slot]! })));
  computed.forEach((slot, k) => (planned[slot] = { ...plans[slot]!, buffer: buffers[k]! }));
  return planned;
}

const repeats = ({ shape, strides }: Layout): boolean => strides.some((stride, axis) => stride === 0 && shape[axis]! > 1);
