/**
 * @file A graph as a pool knows it: a number instead of its text, what feeds must be, and what outputs will be.
 */
import { EinstreamError, fault } from '../../errors/index.js';
import { leastRecentlyUsed } from '../../backends/lru.js';
import { bindInputs } from '../../graph/bind.js';
import { findNode, isValueNode, nameOf, type Graph, type NodeId } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import { inferTypes } from '../../graph/shapes.js';
import { throwIfBroken } from '../../graph/validate/validate.js';
import { isStatic } from '../../ops/dims.js';
import { readFeeds } from '../../run/admit.js';
import { plainBackend } from '../../run/default-backend.js';
import type { Feeds } from '../../run/index.js';
import type { PreparedInput } from '../../run/prepare.js';
import { byteSize, isComputed, type ComputedDType, type DType } from '../../tensor/dtype.js';
import type { Shape } from '../../tensor/shape.js';
import type { Tensor } from '../../tensor/tensor.js';
import { outputKeys } from '../../run/output-keys.js';
import type { Work } from './hand.js';

/** What an output must be; an unknown size stays unknown. */
export interface Expected {
  readonly name: string;
  readonly dtype: DType | undefined;
  readonly shape: Shape | undefined;
}

export interface Plan {
  readonly graph: Graph;
  /** Unique in this realm. */
  readonly number: number;
  /** Feeds as tensors, checked against what the graph declares. @throws EinstreamError as `evaluate` */
  readonly workFor: (feeds: Feeds) => Work;
  /** Outputs in their order, for feeds of these types. */
  readonly expected: (feeds: ReadonlyMap<string, Tensor>) => readonly Expected[];
}

/** Combinations of feed types for which the outputs' types are remembered. */
const REMEMBERED = 64;

const known = new WeakMap<Graph, Plan>();
let numbers = 0;

/** One for each graph. @throws EinstreamError the first fault of a broken graph */
export function planOf(graph: Graph): Plan {
  let plan = known.get(graph);
  if (plan === undefined) known.set(graph, (plan = newPlan(graph)));
  return plan;
}

function newPlan(graph: Graph): Plan {
  throwIfBroken(graph);
  const inputs = graph.inputs.map((id): PreparedInput => {
    const node = findNode(graph, id)!;
    return { node, name: nameOf(node), slot: id, value: isValueNode(node) ? node.value : undefined };
  });
  const readable = { inputs, backend: plainBackend() };
  const remembered = leastRecentlyUsed<string, readonly Expected[]>(REMEMBERED, () => undefined);
  const expected: Plan['expected'] = (feeds) => {
    const key = [...feeds].map(([name, { dtype, shape }]) => JSON.stringify([name, dtype, shape])).join();
    return remembered.get(key) ?? remembered.set(key, expectedOf(graph, inputs, feeds));
  };
  const plan: Plan = {
    graph,
    number: ++numbers,
    expected,
    workFor(given) {
      const tensors = readFeeds(readable, given);
      const feeds = new Map<string, Tensor>();
      let bytes = 0;
      tensors.forEach((tensor, at) => {
        const { name, value } = inputs[at];
        if (tensor === value || feeds.has(name)) return;
        requireComputed(name, tensor);
        feeds.set(name, tensor);
        bytes += tensor.size * byteSize(tensor.dtype);
      });
      expected(feeds);
      return { plan, feeds, bytes };
    },
  };
  return plan;
}

function requireComputed(name: string, { dtype }: Tensor): void {
  if (isComputed(dtype)) return;
  throw fault('E_DTYPE', {
    place: name,
    rule: 'graphs compute bool, int32, float32 and float64',
    actual: dtype,
    hint: 'cast it first',
  });
}

function expectedOf(graph: Graph, inputs: readonly PreparedInput[], feeds: ReadonlyMap<string, Tensor>): readonly Expected[] {
  const given = new Map<NodeId, ValueType>();
  for (const { node, name } of inputs) {
    const feed = feeds.get(name);
    if (feed !== undefined) given.set(node.id, { dims: feed.shape, dtype: feed.dtype as ComputedDType });
  }
  try {
    bindInputs(graph, given);
  } catch (error) {
    if (!(error instanceof EinstreamError)) throw error;
    throw new EinstreamError('E_FEED', { ...error.diagnostic, code: 'E_FEED' }, { nodeId: error.nodeId, cause: error });
  }
  const types = inferTypes(graph, given);
  return outputKeys(graph.outputs).map(({ key, id }) => {
    const { dims, dtype } = types[id]!;
    return { name: key, dtype, shape: dims !== undefined && isStatic(dims) ? dims : undefined };
  });
}
