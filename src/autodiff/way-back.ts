/**
 * @file The way back as a graph of its own: from values that a run has emitted to gradients, nothing forward in it.
 *
 * Its inputs are exactly the values that the rules read, called by their ids, so it also says what a recording must hold.
 */
import { builder, type GraphSymbol } from '../graph/builder.js';
import { findNode, isValueNode, type Graph, type Node, type NodeId, type Output } from '../graph/graph.js';
import { inferTypes } from '../graph/shapes.js';
import { ancestors } from '../graph/topology.js';
import { chunked } from '../graph/graph.js';
import { differentiate } from './differentiate.js';
import { pruned } from './gradient.js';
import { reach } from './reach.js';
import { filledLike } from './seed.js';
import type { Target } from './targets.js';

export interface WayBack {
  /** Its inputs: a value of the forward graph each, `#<id>`; then for each target `<name>.cotangent`. Outputs as in `wrt`. */
  readonly graph: Graph;
  /** The ids of the values that are read. */
  readonly reads: readonly NodeId[];
}

/** How a value of the forward graph is called here. */
export const readName = (id: NodeId): string => `#${id}`;

/** @throws EinstreamError E_GRADIENT for an op without a rule, unless what is missing is skipped */
export function wayBack(
  graph: Graph,
  of: readonly Target[],
  wrt: readonly Target[],
  missing: 'throw' | 'skip' = 'throw',
): WayBack {
  const types = inferTypes(graph);
  const nodes: Node[] = [];
  const into = builder(nodes, [], new Map());
  const symbols = new Map<NodeId, GraphSymbol>();
  const valueOf = (id: NodeId): GraphSymbol => {
    let symbol = symbols.get(id);
    if (symbol === undefined) {
      const node = findNode(graph, id)!;
      const { dims, dtype } = types[id]!;
      symbol =
        node.op === 'constant' && isValueNode(node)
          ? into.add((own) => ({ ...node, id: own }))
          : into.add((own) => ({ id: own, name: readName(id), op: 'input', inputs: [], dims, dtype }));
      symbols.set(id, symbol);
    }
    return symbol;
  };
  const seeds = of.map(({ name, id }) => {
    const { dims, dtype } = types[id]!;
    return into.add((own) => ({ id: own, name: `${name}.cotangent`, op: 'input', inputs: [], dims, dtype }));
  });
  const way = reach(graph, of.map(({ id }) => id), wrt.map(({ id }) => id)); // prettier-ignore
  const weights = of.map(({ id }, at) => ({ id, weight: seeds[at] }));
  const gradients = differentiate(graph, way, weights, wrt, valueOf, missing);
  const outputs = wrt.map(({ name, id }): Output => {
    const symbol = (gradients.get(id) ?? filledLike(valueOf(id), 0)) as GraphSymbol;
    return { name, id: symbol.id };
  });
  const live = ancestors({ chunks: chunked(nodes), size: nodes.length, inputs: [], outputs, faults: [] }, outputs.map(({ id }) => id)); // prettier-ignore
  const reads = [...symbols].filter(([id, symbol]) => live[symbol.id] === 1 && findNode(graph, id)!.op !== 'constant');
  const inputs = [...reads.map(([, symbol]) => symbol.id), ...seeds.map(({ id }) => id)];
  return { graph: pruned(nodes, inputs, outputs), reads: reads.map(([id]) => id) };
}
