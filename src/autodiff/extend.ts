/**
 * @file A graph carried on: nodes added behind those that are there.
 */
import { builder, freezeGraph, type GraphSymbol } from '../graph/builder.js';
import { chunked, findNode, type Graph, type Names, type NodeId, type Output } from '../graph/graph.js';
import type { ValueType } from '../graph/infer.js';
import { inferTypes } from '../graph/shapes.js';

export interface Extension {
  /** The symbol of a value that is there. */
  readonly symbolAt: (id: NodeId) => GraphSymbol;
  readonly typeOf: (id: NodeId) => ValueType;
  /** A further input. */
  readonly input: (name: string, type: ValueType) => GraphSymbol;
}

/** What `build` gives are the outputs, by name; ops on the symbols add nodes. */
export function extend(graph: Graph, build: (extension: Extension) => Readonly<Record<string, GraphSymbol>>): Graph {
  const nodes = Array.from({ length: graph.size }, (_, id) => findNode(graph, id));
  const types = [...inferTypes(graph)];
  const into = builder(nodes, types);
  const inputs = [...graph.inputs];
  const built = build({
    symbolAt: into.symbolAt,
    typeOf: (id) => types[id]!,
    input(name, { dims, dtype }) {
      const symbol = into.add((id) => ({ id, name, op: 'input', inputs: [], dims, dtype }));
      inputs.push(symbol.id);
      return symbol;
    },
  });
  const outputs = Object.entries(built).map(([name, { id }]): Output => {
    if (nodes[id]!.name === undefined) into.rename(id, name);
    return { name, id };
  });
  return freezeGraph<Names, Names>({ chunks: chunked(nodes), size: nodes.length, inputs, outputs, faults: [] });
}
