/**
 * @file What depends on constants alone is computed once, by the evaluator that defines every op, and becomes a constant.
 *
 * A result may not be much larger than what it is made of, so that a broadcast stays a broadcast, nor take long. What fails
 * stays as it is, and fails where it is run, with its place.
 */
import { findNode, isOpNode, type ConstantNode, type Graph, type Node, type NodeId, type OpNode } from '../graph/graph.js';
import { inferNode } from '../graph/infer.js';
import { topology } from '../graph/topology.js';
import { isStatic } from '../ops/dims.js';
import { evaluateOp } from '../ops/evaluate.js';
import { knownOp } from '../ops/known.js';
import { nodeCost } from '../plan/cost.js';
import { byteSize, isComputed } from '../tensor/dtype.js';
import { numElements } from '../tensor/shape.js';
import type { Tensor } from '../tensor/tensor.js';
import { replaceNodes } from './edit.js';
import type { Pass, Rewrite } from './pass.js';

/** Bytes that any result may have; a larger one may have those of its operands together. */
const MOST_BYTES = 4096;
/** Scalar operations for one result: some ten milliseconds. */
const MOST_OPERATIONS = 1_000_000;

/**
 * Computes what depends on constants alone. Cost: one walk, and what the constants take to compute. Ids and names stay; constants that
 * nothing reads any more are dead nodes.
 *
 * ```ts
 * const g = graph({ x: input([2]), c: constant(tensor([3, 4])) }, ({ x, c }) => ({ y: mul(x, sum(square(c))) }));
 * const { graph: folded } = optimize(g, [foldConstants, eliminateDeadNodes]);
 * [...nodesOf(folded)].map(({ op }) => op) // => ['input', 'constant', 'mul']
 * ```
 */
export const foldConstants: Pass = {
  name: 'foldConstants',
  rewrite(graph, edit, { apart = [] }) {
    const watched = new Set(apart);
    const folded = new Map<NodeId, Node>();
    const valueOf = constants(graph, folded);
    for (const id of topology(graph).order) {
      const node = findNode(graph, id)!;
      if (!isOpNode(node) || node.isRecomputed === true || watched.has(id)) continue;
      const inputs = node.inputs.map(valueOf);
      const value = isKnown(inputs) ? computed(node, inputs) : undefined;
      if (value !== undefined) folded.set(id, constantFor(node, value));
    }
    if (folded.size === 0) return;
    const rewrites = [...folded.keys()].map((id): Rewrite => ({ rule: 'of constants alone', from: [id], into: id }));
    edit((draft) => replaceNodes(draft, graph, folded), rewrites);
  },
};

const isKnown = (values: readonly (Tensor | undefined)[]): values is readonly Tensor[] =>
  values.length > 0 && !values.includes(undefined);

const constants =
  (graph: Graph, folded: ReadonlyMap<NodeId, Node>) =>
  (id: NodeId): Tensor | undefined => {
    const node = folded.get(id) ?? findNode(graph, id);
    return node?.op === 'constant' ? (node as ConstantNode).value : undefined;
  };

/** What a node gives, or undefined where that would be too much, or where it gives none. */
function computed(node: OpNode, inputs: readonly Tensor[]): Tensor | undefined {
  try {
    const sizes = inputs.map(({ shape, dtype }) => ({ shape, dtype: isComputed(dtype) ? dtype : 'float64' }) as const);
    const { dims, dtype } = inferNode(node, sizes.map((size) => ({ dims: size.shape, dtype: size.dtype }))); // prettier-ignore
    if (dims === undefined || dtype === undefined || !isStatic(dims)) return undefined;
    const [bytes, ...given] = [{ shape: dims, dtype }, ...sizes].map((size) => numElements(size.shape) * byteSize(size.dtype));
    if (bytes > Math.max(MOST_BYTES, ...given)) return undefined;
    if (nodeCost(node, sizes, { shape: dims, dtype }).compute > MOST_OPERATIONS) return undefined;
    return evaluateOp(knownOp(node.op)!, inputs, node.params);
  } catch {
    // The run says it better: it knows who asked for this value, and whether anybody did.
    return undefined;
  }
}

function constantFor({ id, name, location, metadata }: OpNode, value: Tensor): ConstantNode {
  const kept = { ...(name === undefined ? {} : { name }), ...(location === undefined ? {} : { location }) };
  return { id, op: 'constant', inputs: [], value, ...kept, ...(metadata === undefined ? {} : { metadata }) };
}
