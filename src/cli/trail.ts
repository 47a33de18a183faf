/**
 * @file The trail of a compilation: what each pass found, and what the graph cost before and after it.
 *
 * A compilation keeps patches and no graphs between the passes; taking the patches back, the last first, gives each of them again.
 */
import { nodeCount, type Graph } from '../graph/graph.js';
import { keysOf } from '../graph/keys.js';
import { givenShapes, inferTypes } from '../graph/shapes.js';
import type { Dims } from '../ops/dims.js';
import { wholeCost, type GraphCost } from '../passes/graph-cost.js';
import { revert, type PassReport } from '../passes/index.js';
import type { CompiledGraph } from '../run/compiled.js';

/** A graph between two passes. */
export interface Waypoint {
  readonly nodes: number;
  /** Undefined where sizes are not known. */
  readonly cost: GraphCost | undefined;
}

export interface TrailStep {
  readonly report: PassReport;
  readonly before: Waypoint;
  readonly after: Waypoint;
  /** Names by id: of what was there before, and of what the pass made. */
  readonly nameOf: (id: number) => string | undefined;
}

/** One step for each pass that ran, in order. */
export function trailOf({ graph, reports }: CompiledGraph, shapes: ReadonlyMap<string, Dims>): readonly TrailStep[] {
  const steps: TrailStep[] = [];
  let [current, after] = [graph, waypoint(graph, shapes)];
  for (const report of [...reports].reverse()) {
    const earlier = report.patches.length === 0 ? current : revert(current, [report]);
    const before = earlier === current ? after : waypoint(earlier, shapes);
    steps.push({ report, before, after, nameOf: namesOf(earlier, current) });
    [current, after] = [earlier, before];
  }
  return steps.reverse();
}

function waypoint(graph: Graph, shapes: ReadonlyMap<string, Dims>): Waypoint {
  return { nodes: nodeCount(graph), cost: wholeCost(graph, inferTypes(graph, givenShapes(graph, shapes))) };
}

/** Names are looked up when somebody asks. */
function namesOf(before: Graph, after: Graph): (id: number) => string | undefined {
  let keys: readonly (readonly (string | undefined)[])[] | undefined;
  return (id) => {
    keys ??= [keysOf(before), keysOf(after)];
    return keys[0][id] ?? keys[1][id];
  };
}
