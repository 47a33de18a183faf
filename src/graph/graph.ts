/**
 * @file The graph: an immutable record of nodes, each with one value, in chunks of 1,024.
 *
 * A node's id is also its value's id, and the tensor index of the interchange format. Passes leave holes
 * where they remove nodes, so an id means the same node before and after.
 */
import { excerpt, fault, type Diagnostic, type SourceLocation } from '../errors/index.js';
import type { ComputedDType } from '../tensor/dtype.js';
import type { Tensor } from '../tensor/tensor.js';
import type { Dims } from '../ops/dims.js';
import type { Params } from '../ops/op.js';
import { checkGraph } from './check-graph.js';

/** Number of a node, and of its one value: from 0, the index of its tensor in the interchange format. */
export type NodeId = number;

interface NodeBase {
  readonly id: NodeId;
  readonly name?: string;
  readonly location?: SourceLocation;
  /** What the interchange format says of a tensor or node beyond its meaning; kept, not read. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A value that each feed brings. Without dims any shape fits; without dtype any computed dtype does. */
export interface InputNode extends NodeBase {
  readonly op: 'input';
  readonly inputs: readonly NodeId[];
  readonly dims?: Dims;
  readonly dtype?: ComputedDType;
}

/** A value of the graph that a feed may override. */
export interface ParamNode extends NodeBase {
  readonly op: 'param';
  readonly inputs: readonly NodeId[];
  readonly value: Tensor;
}

/** A value that nothing overrides. */
export interface ConstantNode extends NodeBase {
  readonly op: 'constant';
  readonly inputs: readonly NodeId[];
  readonly value: Tensor;
}

/** A value that an op computes from others. */
export interface OpNode extends NodeBase {
  /** Name of a registered op; an unknown one stays for `validate` to report. */
  readonly op: string;
  readonly inputs: readonly NodeId[];
  readonly params: Params;
  /** Letter case of the interchange format: this node repeats the result of its input's node as a further output. */
  readonly alias?: NodeId;
  /**
   * Computed a second time on purpose, because keeping the first value would hold its memory for long: what `gradient` with
   * `checkpoints` makes. No pass joins it with a node that computes the same.
   */
  readonly isRecomputed?: true;
}

/** What gives one value: an input, a param, a constant, or an op with its operands. Frozen. */
export type Node = InputNode | ParamNode | ConstantNode | OpNode;

/** A value that the graph gives, under this name. */
export interface Output {
  readonly name: string;
  readonly id: NodeId;
}

/** What a graph takes and gives, for the type system only: by name. */
export type Names = Readonly<Record<string, unknown>>;

/** A graph of ops, immutable. Made by `graph` or `parseGraph`; read through `nodeOf` and `nodesOf`, whatever its size. */
export interface Graph<I extends Names = Names, O extends Names = Names> {
  readonly chunks: readonly (readonly (Node | undefined)[])[];
  /** Ids run from 0 to size − 1. */
  readonly size: number;
  /** Inputs and params, in the order of feeding. */
  readonly inputs: readonly NodeId[];
  readonly outputs: readonly Output[];
  /** Structural faults of a text that this form cannot hold otherwise (two producers, an index out of range). */
  readonly faults: readonly Diagnostic[];
  /** Tensors of the interchange format that nothing produces: ids without a node. Reading one is a fault. */
  readonly unproduced?: readonly Output[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly types?: { readonly inputs: I; readonly outputs: O };
}

export const CHUNK = 1024;

/**
 * True for a node that computes: no input, param or constant.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: relu(x) }));
 * [...nodesOf(g)].filter(isOpNode).map(({ op }) => op) // => ['relu']
 * ```
 */
export const isOpNode = (node: Node): node is OpNode => node.op !== 'input' && node.op !== 'param' && node.op !== 'constant';
export const isValueNode = (node: Node): node is ParamNode | ConstantNode => node.op === 'param' || node.op === 'constant';

/** The node with this id, or undefined where there is none. */
export function findNode(graph: Graph, id: NodeId): Node | undefined {
  const node = graph.chunks[id >>> 10]?.[id & (CHUNK - 1)];
  return node?.id === id ? node : undefined; // 2^32, 0.5 and NaN come to the place of another id
}

/**
 * The node with this id.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: relu(x) }));
 * nodeOf(g, g.outputs[0].id).op // => 'relu'
 * ```
 *
 * @throws EinstreamError E_GRAPH when the graph has no such node
 */
export function nodeOf(graph: Graph, id: NodeId): Node {
  checkGraph(graph);
  const node = findNode(graph, id);
  if (node === undefined)
    throw fault('E_GRAPH', {
      place: `#${id}`,
      nodeId: id,
      rule: 'the graph must have this node',
      actual: `ids 0 to ${graph.size - 1}`,
    });
  return node;
}

/**
 * Every node, in order of id.
 *
 * ```ts
 * [...nodesOf(graph({ x: input([2]) }, ({ x }) => ({ y: relu(x) })))].map(({ op }) => op) // => ['input', 'relu']
 * ```
 */
export function* nodesOf(graph: Graph): IterableIterator<Node> {
  checkGraph(graph);
  for (const chunk of graph.chunks) for (const node of chunk) if (node !== undefined) yield node;
}

/**
 * Number of nodes, inputs and constants included. Cost: one walk.
 *
 * ```ts
 * nodeCount(graph({ x: input([2]) }, ({ x }) => ({ y: relu(x) }))) // => 2
 * ```
 */
export function nodeCount(graph: Graph): number {
  checkGraph(graph);
  let count = 0;
  for (const chunk of graph.chunks) for (let i = 0; i < chunk.length; i++) if (chunk[i] !== undefined) count++;
  return count;
}

/** A node's name, or one made from op and id. Not unique: see `keys.ts`. */
export const nameOf = (node: Node): string => node.name ?? `${node.op}_${node.id}`;

/** Where a node is, for errors. */
export const placeOf = (node: Node): { place: string; nodeId: number; op: string; location?: SourceLocation } => ({
  place: excerpt(nameOf(node)),
  nodeId: node.id,
  op: node.op,
  ...(node.location === undefined ? {} : { location: node.location }),
});

/** Freezes a list of nodes, indexed by id, into a graph's chunks. */
export function chunked(nodes: readonly (Node | undefined)[]): Graph['chunks'] {
  const chunks: (readonly (Node | undefined)[])[] = [];
  for (let from = 0; from < nodes.length; from += CHUNK) {
    const chunk = nodes.slice(from, from + CHUNK);
    for (const node of chunk) {
      if (node === undefined) continue;
      Object.freeze(node.inputs);
      if ('params' in node) Object.freeze(node.params);
      Object.freeze(node);
    }
    chunks.push(Object.freeze(chunk));
  }
  return Object.freeze(chunks);
}
