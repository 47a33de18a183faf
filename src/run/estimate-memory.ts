/**
 * @file `estimateMemory`: what a run will hold, from shapes alone, by the plan that the run follows.
 */
import { fault, quoted } from '../errors/index.js';
import { bindInputs } from '../graph/bind.js';
import { placeOf, type Graph, type NodeId } from '../graph/graph.js';
import type { ValueType } from '../graph/infer.js';
import { keysOf } from '../graph/keys.js';
import { givenShapes } from '../graph/shapes.js';
import { throwIfBroken } from '../graph/validate/validate.js';
import type { Dims } from '../ops/dims.js';
import type { ComputedDType } from '../tensor/dtype.js';
import { formatShape } from '../tensor/shape.js';
import type { Tensor } from '../tensor/tensor.js';
import { bytesOf, footprint, requireRoom, type Footprint } from './footprint.js';
import { readSettings, type RunOptions } from './options.js';
import type { Prepared } from './prepare.js';
import { preparedFor } from './run.js';
import { shareBuffers } from './share.js';
import { onWhoComputes } from './specialize.js';
import { standIn } from './stand-in.js';
import type { Typed } from './typed.js';

/** How a run would be started, and what stands for what the shapes leave open. */
export interface EstimateOptions extends Pick<
  RunOptions,
  'backend' | 'level' | 'keep' | 'outputs' | 'inPlace' | 'placement' | 'fallback' | 'memoryLimit'
> {
  /** Of inputs that declare none; float32 by default. */
  readonly dtype?: ComputedDType;
  /** Size of first axes that neither the declarations nor the shapes give. */
  readonly batch?: number;
}

/** When a value is there: steps are counted from 0, and outputs stay until after the last. */
export interface Lifetime {
  readonly first: number;
  readonly last: number;
  /** Of elements that it has to itself: 0 for a view. */
  readonly bytes: number;
}

/** What one frame holds. */
export interface MemoryEstimate extends Footprint {
  /** `peakBytes` in MiB. */
  readonly peakMb: number;
  /** Of the values of the optimised graph, by name. */
  readonly lifetimes: ReadonlyMap<string, Lifetime>;
}

/**
 * Estimates the memory of one frame: feeds and params, intermediate values, outputs. Nothing is allocated or compiled for it.
 *
 * It is the plan that a run with these options follows, so a run holds as much, not about as much.
 *
 * ```ts
 * const g = graph({ x: input(['n', 4]) }, ({ x }) => ({ y: sum(named('h', matmul(x, transpose(x)))) }));
 * const { inputBytes, outputBytes, intermediateBytes, lifetimes } = estimateMemory(g, { x: [8, 4] }, { level: 'none' });
 * [inputBytes, outputBytes, intermediateBytes] // => [128, 4, 256]
 * lifetimes.get('h') // => { first: 1, last: 2, bytes: 256 }
 * ```
 *
 * @param shapes of inputs by name, in elements; those that are declared in full may be left out
 * @throws EinstreamError E_SHAPE for a shape that is not known, E_ARGUMENT for a name that is no input, E_OOM or E_LIMIT for
 *   more than a run would be allowed, and what a run finds wrong with the graph
 */
export function estimateMemory(
  graph: Graph,
  shapes: Readonly<Record<string, Dims>> | ReadonlyMap<string, Dims> = {},
  { dtype = 'float32', batch, ...options }: EstimateOptions = {},
): MemoryEstimate {
  const settings = readSettings(options);
  throwIfBroken(graph);
  const types = inputTypes(graph, shapes, batch);
  const prepared = preparedFor(graph, options, settings, false);
  return onWhoComputes(prepared, prepared, standIns(prepared, types, dtype), (typed) => estimateOf(typed));
}

/** What the inputs are; a first axis of unknown size is of `batch`. */
function inputTypes(
  graph: Graph,
  shapes: Readonly<Record<string, Dims>> | ReadonlyMap<string, Dims>,
  batch: number | undefined,
): ReadonlyMap<NodeId, ValueType> {
  const given = new Map(givenShapes(graph, shapes));
  const types = bindInputs(graph, given);
  if (batch === undefined) return types;
  for (const [id, { dims }] of types)
    if (dims !== undefined && dims.length > 0 && typeof dims[0] !== 'number') given.set(id, { dims: [batch, ...dims.slice(1)] });
  return bindInputs(graph, given);
}

const standIns = ({ inputs }: Prepared, types: ReadonlyMap<NodeId, ValueType>, otherwise: ComputedDType): Tensor[] =>
  inputs.map(({ node, value }) => {
    const { dims, dtype = otherwise } = types.get(node.id)!;
    if (value !== undefined && String(value.shape) === String(dims)) return value;
    const tensor = standIn({ dims, dtype });
    if (tensor !== undefined) return tensor;
    throw fault('E_SHAPE', {
      ...placeOf(node),
      rule: 'the shape of every input must be known',
      actual: dims === undefined ? 'unknown rank' : formatShape(dims),
      hint: `give it: estimateMemory(graph, { ${quoted(node.name ?? 'x')}: […] })`,
    });
  });

function estimateOf(typed: Typed): MemoryEstimate {
  const { prepared, types } = typed;
  const memory = shareBuffers(typed);
  const held = footprint(typed, memory);
  requireRoom(held, prepared.memoryLimit);
  const lifetimes = new Map<string, Lifetime>();
  const keys = keysOf(prepared.graph);
  const { nodes, slots } = prepared;
  const last = lastReads(prepared);
  const note = (id: NodeId, first: number, bytes: number): void => {
    const slot = slots[id];
    lifetimes.set(keys[id]!, { first, last: Math.max(first, last[slot]), bytes });
  };
  for (const { node, slot } of prepared.inputs) note(node.id, 0, bytesOf(types[slot]));
  nodes.forEach(({ id }, at) => note(id, at, memory.plans[slots[id]] === undefined ? 0 : bytesOf(types[slots[id]])));
  return { ...held, peakMb: held.peakBytes / 2 ** 20, lifetimes };
}

/** The last step that reads each slot itself; the count of steps for outputs. */
function lastReads({ nodes, slots, outputs, slotCount }: Prepared): Int32Array {
  const last = new Int32Array(slotCount);
  nodes.forEach(({ inputs }, at) => {
    for (const id of inputs) last[slots[id]] = at;
  });
  for (const { slot } of outputs) last[slot] = nodes.length;
  return last;
}
