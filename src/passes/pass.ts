/**
 * @file A pass: a rewrite of the graph whose Immer patches are its report.
 */
import { enablePatches, produceWithPatches, type Draft, type Patch } from 'immer';
import type { Graph, NodeId, OpNode } from '../graph/graph.js';
import type { ContractionPath } from '../plan/path/index.js';

enablePatches();

/** What a pass may count on, and must respect. */
export interface PassContext {
  /** Values that must stay, beside the outputs. */
  readonly keep: readonly NodeId[];
  /** Those of them that something may replace on the way: their readers read them and no equal value. */
  readonly apart?: readonly NodeId[];
  /** Most nodes that one fused kernel of the backend may join. */
  readonly maxFusedNodes: number;
  /** Most values that one fused kernel may read; any number by default. */
  readonly maxFusedOperands?: number;
  /** Most nodes of one fused kernel that read each other in turn; any number by default. */
  readonly maxFusedDepth?: number;
  /**
   * Asked for each group of nodes that would become one kernel, its last node last; all join by default. Passes that know what
   * the group costs as this node, and could not be told from its members, say so.
   */
  readonly joins?: (group: readonly NodeId[], joined?: OpNode) => boolean;
  /** Rules may treat numbers as reals: x − x is 0 and x × 0 too, whatever x is. Off by default. */
  readonly fastMath?: boolean;
}

/** One thing that a pass did, in terms of ids: what went, what stands in its place, by which rule. */
export interface Rewrite {
  /** What a reader is told: `'x + 0 = x'`, `'same as'`. */
  readonly rule: string;
  readonly from: readonly NodeId[];
  readonly into?: NodeId;
  /** The order of what a contraction became, with its costs, for `printPath`; sizes that are not known yet are taken to be alike. */
  readonly path?: ContractionPath;
}

/** Opens a draft of the graph; called at most once, and only when there is something to do. `rewrites` says what is done in it. */
export type Edit = (recipe: (draft: Draft<Graph>) => void, rewrites?: readonly Rewrite[]) => void;

/** A rewrite of graphs: it leaves what outputs and kept values are. */
export interface Pass {
  readonly name: string;
  /** Reads the frozen graph; edits a draft. */
  readonly rewrite: (graph: Graph, edit: Edit, context: PassContext) => void;
}

/** What a pass did. No patches means that there was nothing to do. */
export interface PassReport {
  readonly pass: string;
  readonly patches: readonly Patch[];
  readonly rewrites: readonly Rewrite[];
  /** Applied to the result, they restore the graph as it was. */
  readonly inverse: readonly Patch[];
}

export function applyPass(
  graph: Graph,
  pass: Pass,
  context: PassContext,
): { readonly graph: Graph; readonly report: PassReport } {
  let result = graph;
  let report: PassReport = { pass: pass.name, patches: [], inverse: [], rewrites: [] };
  pass.rewrite(
    graph,
    (recipe, rewrites = []) => {
      const [next, patches, inverse] = produceWithPatches(graph, recipe);
      result = next;
      report = { pass: pass.name, patches, inverse, rewrites };
    },
    context,
  );
  return { graph: result, report };
}

/** Runs passes in order. */
export function applyPasses(
  graph: Graph,
  passes: readonly Pass[],
  context: PassContext,
): { readonly graph: Graph; readonly reports: readonly PassReport[] } {
  const reports: PassReport[] = [];
  let current = graph;
  for (const pass of passes) {
    const { graph: next, report } = applyPass(current, pass, context);
    current = next;
    reports.push(report);
  }
  return { graph: current, reports };
}
