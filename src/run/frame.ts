/**
 * @file A frame: one feed on its way through a program. It owns its values; a step assigns only its own slot.
 */
import type { Backend } from '../backends/index.js';
import { fault } from '../errors/index.js';
import type { NodeId } from '../graph/graph.js';
import { hostCopy } from '../tensor/host-copy.js';
import { relaid } from '../tensor/relaid.js';
import { formatShape, sameShape } from '../tensor/shape.js';
import type { Tensor } from '../tensor/tensor.js';
import type { Lease } from './arena.js';
import type { InFlight } from './in-flight.js';
import { sameNumbers, type Program } from './program.js';

/** One feed on its way through a graph. Middleware reads it with `valueOf` and writes it with `assign`. */
export interface Frame {
  /** Counts the feeds of one subscription from 0. */
  readonly index: number;
  readonly program: Program;
  /** By slot; undefined before the step of that slot has run. */
  readonly values: (Tensor | undefined)[];
  readonly lease: Lease;
  /** The feeds in order of the inputs, where kernels read copies of them. */
  readonly feeds?: Tensor[];
  /** Where it is noted while it is on its way. */
  readonly flights?: InFlight;
  /** Tells the subscription what became known of a program only when it ran. */
  readonly noted?: (program: Program) => void;
}

const slotOf = (frame: Frame, id: NodeId): number => {
  const slot = frame.program.prepared.slots[id] ?? -1;
  if (slot < 0)
    throw fault('E_GRAPH', {
      place: `#${id}`,
      nodeId: id,
      rule: 'the optimised graph must have this node',
      hint: "it was fused or removed: name it in `keep`, or run with level 'none'",
    });
  if (frame.lease.holder !== frame)
    throw fault('E_STALE', { place: `frame ${frame.index}`, rule: 'a frame can be read only while it is on its way' });
  return slot;
};

/**
 * The value of a node in this frame, for middleware. The tensor stays valid for good: the frame's arena lets go of it.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: relu(x) }));
 * const seen = [];
 * const watching = (step, node) => (frames$) => frames$.pipe(step, tap((frame) => seen.push(valueOf(frame, node.id).toArray())));
 * evaluate(g, { x: [-1, 2] }, { use: [watching] }).then(() => seen) // => [[0, 2]]
 * ```
 *
 * @throws EinstreamError E_GRAPH for a node that is not there, or has no value yet; E_STALE when the frame has ended
 */
export function valueOf(frame: Frame, id: NodeId): Tensor {
  const slot = slotOf(frame, id);
  const value = frame.values[slot];
  if (value === undefined)
    throw fault('E_GRAPH', {
      place: `#${id}`,
      nodeId: id,
      rule: 'a value can be read only after its step has run',
      hint: 'steps run in topological order',
    });
  const { backend, inputs, constants } = frame.program.prepared;
  if (backend.owns !== undefined) {
    // The frame's own memory is used again; feeds, constants and what was assigned are not in it.
    const at = frame.feeds === undefined ? -1 : inputs.findIndex((input) => input.slot === slot);
    if (at >= 0) return frame.feeds![at];
    return !backend.owns(value) || constants.some((each) => each.value === value) ? value : copyOf(frame.lease, value);
  }
  frame.lease.giveAway(frame.program.homes[slot]);
  return value;
}

/**
 * Who computes this frame. A run that names no backend decides for each combination of feed shapes, so that it may be another
 * one for the next frame; of a run that names one, it is that.
 *
 * ```ts
 * const g = graph({ x: input(['n']) }, ({ x }) => ({ y: exp(x) }));
 * const seen = [];
 * const noting = (step) => (frames$) => frames$.pipe(step, tap((frame) => seen.push(backendOf(frame).name)));
 * evaluate(g, { x: [0] }, { use: [noting] }).then(() => seen) // => ['js']
 * ```
 */
export const backendOf = ({ program }: Frame): Backend => program.prepared.backend;

function copyOf({ copies }: Lease, value: Tensor): Tensor {
  let copy = copies.get(value);
  if (copy === undefined) copies.set(value, (copy = hostCopy(value)));
  return copy;
}

/**
 * Gives a node its value, as its step would: what a middleware does that replaces a step.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: exp(x) }));
 * const stubbed = (step, node) => map((frame) => assign(frame, node.id, tensor([7, 8])));
 * evaluate(g, { x: [1, 2] }, { use: [stubbed] }).then(({ y }) => y.toArray()) // => [7, 8]
 * ```
 *
 * @throws EinstreamError E_SHAPE or E_DTYPE when the tensor is not what the node computes
 */
export function assign(frame: Frame, id: NodeId, value: Tensor): Frame {
  const slot = slotOf(frame, id);
  const expected = frame.program.types[slot];
  if (value.dtype !== expected.dtype)
    throw fault('E_DTYPE', {
      place: `#${id}`,
      nodeId: id,
      rule: 'an assigned value has the dtype of its node',
      expected: expected.dtype,
      actual: value.dtype,
    });
  if (!sameShape(value.shape, expected.shape)) {
    throw fault('E_SHAPE', {
      place: `#${id}`,
      nodeId: id,
      rule: 'an assigned value has the shape of its node',
      expected: formatShape(expected.shape),
      actual: formatShape(value.shape),
    });
  }
  // Later kernels were made for the strides of the node's own result.
  const at = frame.feeds === undefined ? -1 : frame.program.prepared.inputs.findIndex((input) => input.slot === slot);
  if (at >= 0) frame.feeds![at] = value;
  frame.values[slot] = sameNumbers(value.strides, expected.strides) ? value : relaid(value, expected.strides);
  return frame;
}
