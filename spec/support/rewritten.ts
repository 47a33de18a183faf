/**
 * @file A pass applied to a graph, with what every pass owes: its inverse restores the graph, and a second run finds nothing.
 */
import { expect } from 'chai';
import { applyPatches } from 'immer';
import type { Graph } from '../../src/graph/graph.js';
import { serializeGraph } from '../../src/graph/formats/serialize.js';
import { idOfKey } from '../../src/graph/keys.js';
import { validate } from '../../src/graph/validate/validate.js';
import { applyPass, type Pass, type PassContext, type PassReport } from '../../src/passes/index.js';
import { plainGraph } from './plainGraph.js';

/** Values to keep by name, and the most nodes and results of a fused kernel. */
export interface Demands {
  readonly keep?: readonly string[];
  readonly maxFusedNodes?: number;
  readonly maxResults?: number;
}

export const contextFor = (graph: Graph, { keep = [], maxFusedNodes = 128, maxResults = 8 }: Demands = {}): PassContext => ({
  keep: keep.map((name) => idOfKey(graph, name)!),
  maxFusedNodes,
  maxResults,
});

/** The graph after the pass and the report, once it is shown that the inverse restores it and that nothing is left to do. */
export function rewritten(
  graph: Graph,
  pass: Pass,
  demands: Demands = {},
): { readonly graph: Graph; readonly report: PassReport } {
  const context = contextFor(graph, demands);
  const result = applyPass(graph, pass, context);
  const { patches, inverse } = result.report;
  expect(plainGraph(applyPatches(result.graph, [...inverse])), 'inverse patches').to.deep.equal(plainGraph(graph));
  expect(plainGraph(applyPatches(graph, [...patches])), 'patches').to.deep.equal(plainGraph(result.graph));
  expect(
    validate(result.graph).filter(({ severity }) => severity !== 'warning'),
    'faults of the result',
  ).to.deep.equal([]);
  const again = applyPass(result.graph, pass, context);
  expect(again.report.patches, 'patches of a second run').to.deep.equal([]);
  expect(again.graph).to.equal(result.graph);
  return result;
}

/** A graph as lines, as `serializeGraph(graph, 'ascii')` prints it. */
export const printed = (graph: Graph): readonly string[] => serializeGraph(graph, 'ascii').trimEnd().split('\n');
