/**
 * @file The nodes that compute, numbered in an order that is valid: who waits for whom, what each costs and holds.
 */
import { EinstreamError, fault } from '../../errors/index.js';
import { findNode, isOpNode, nameOf, placeOf, type Graph, type NodeId, type OpNode } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import { givenShapes, inferTypes } from '../../graph/shapes.js';
import { topology } from '../../graph/topology.js';
import { throwIfBroken } from '../../graph/validate/validate.js';
import { isStatic, type Dims } from '../../ops/dims.js';
import { knownOp } from '../../ops/known.js';
import { bytesOf, nodeWork, totalOf, type NodeWork, type ValueSize } from '../cost.js';

/** By number, from 0. */
export interface Work {
  readonly ids: readonly NodeId[];
  /** Numbers of the nodes whose values a node reads, each once; all are smaller than its own. */
  readonly before: readonly (readonly number[])[];
  /** Numbers of the nodes that read it. */
  readonly after: readonly (readonly number[])[];
  /** Scalar operations, or what else a node is held to cost; 0 for a view. */
  readonly costs: Float64Array;
  /** Bytes of its value; 0 for a view. */
  readonly bytes: Float64Array;
  /** Bytes of its value, of a view too: what moves where a reader is elsewhere. */
  readonly sizes: Float64Array;
  /** Bytes of the inputs of the graph that it reads, by id. */
  readonly fed: readonly ReadonlyMap<NodeId, number>[];
  /** The number whose buffer holds its value: another one for views, −1 for a view of an input. */
  readonly homes: Int32Array;
  /** 1 where the value leaves the graph. */
  readonly leaves: Uint8Array;
}

/**
 * Cost: one walk of the graph.
 *
 * @param priceOf what a node costs; its scalar operations by default
 * @throws EinstreamError E_SHAPE where sizes are not known; what `validate` finds in a broken graph, a cycle by its path
 */
export function workOf(
  graph: Graph,
  shapes: Readonly<Record<string, Dims>> = {},
  priceOf: (work: NodeWork) => number = ({ operations }) => totalOf(operations),
): Work {
  throwIfBroken(graph);
  const types = inferTypes(graph, givenShapes(graph, shapes));
  const nodes = topology(graph)
    .order.map((id) => findNode(graph, id)!)
    .filter(isOpNode);
  const numbers = new Int32Array(graph.size).fill(-1);
  nodes.forEach(({ id }, at) => (numbers[id] = at));
  const before = nodes.map(({ inputs }) => [...new Set(inputs.map((id) => numbers[id]))].filter((at) => at >= 0));
  const after = nodes.map((): number[] => []);
  before.forEach((list, at) => list.forEach((earlier) => after[earlier].push(at)));
  const [costs, bytes, sizes] = [new Float64Array(nodes.length), new Float64Array(nodes.length), new Float64Array(nodes.length)];
  const homes = Int32Array.from(nodes.keys());
  const sizeOf = (id: NodeId): ValueSize => known(graph, id, types[id]);
  nodes.forEach((node, at) => {
    const own = ownWork(node, node.inputs.map(sizeOf), sizeOf(node.id));
    const isView = knownOp(node.op)!.view !== undefined;
    costs[at] = isView ? 0 : priceOf(own);
    sizes[at] = own.communication;
    bytes[at] = isView ? 0 : own.communication;
    if (isView) homes[at] = numbers[node.inputs[0]] < 0 ? -1 : homes[numbers[node.inputs[0]]];
  });
  const fed = nodes.map(({ inputs }) => new Map(inputs.filter((id) => findNode(graph, id)!.op === 'input').map((id) => [id, bytesOf(sizeOf(id))]))); // prettier-ignore
  const leaves = new Uint8Array(nodes.length);
  for (const { id } of graph.outputs) if (numbers[id] >= 0 && homes[numbers[id]] >= 0) leaves[homes[numbers[id]]] = 1;
  return { ids: nodes.map(({ id }) => id), before, after, costs, bytes, sizes, fed, homes, leaves };
}

/** What it says of a node has the node's place. */
function ownWork(node: OpNode, inputs: readonly ValueSize[], result: ValueSize): NodeWork {
  try {
    return nodeWork(node, inputs, result);
  } catch (error) {
    if (!(error instanceof EinstreamError)) throw error;
    throw new EinstreamError(error.code, { ...error.diagnostic, ...placeOf(node) }, { nodeId: node.id, cause: error });
  }
}

function known(graph: Graph, id: NodeId, type: ValueType | undefined): ValueSize {
  const { dims, dtype } = type ?? { dims: undefined, dtype: undefined };
  if (dims !== undefined && isStatic(dims)) return { shape: dims, dtype: dtype ?? 'float32' };
  const node = findNode(graph, id)!;
  throw fault('E_SHAPE', {
    ...placeOf(node),
    rule: 'a cost takes every size',
    actual: dims === undefined ? 'unknown rank' : `[${dims.map(String).join(', ')}]`,
    hint: `give the shapes of the inputs: { shapes: { ${nameOf(node)}: [32, 784] } }`,
  });
}
