/**
 * @file Which regions are worth turning: what is read against the order in which it lies, as things are and turned.
 *
 * A transposed value costs nothing by itself; who reads it pays, element by element. So a region is turned where its readers pay less
 * than its members do now. A contraction pays nothing, as it takes the order into its subscripts.
 *
 * An output is handed out row by row: where it is a transpose of what was computed, the copy of it is made against the order, by plain
 * loops where kernels may turn what they read. It counts as two reads, so that it is a gain for three transposed operands, and for what
 * reads its operand three times (softmax). A node that reads such a value pays more: it might have been
 * one kernel with the member that it reads, which has to be written now.
 */
import { isOpNode, nodesOf, type Graph, type NodeId, type OpNode } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import { isContraction } from '../../ops/fusedSteps.js';
import { knownOp } from '../../ops/known.js';
import { alongAxes } from './folds.js';
import { against, elementsIn, isInOrder } from './order.js';
import type { Regions, Turnable } from './turnable.js';

/** An element read against the order, in elements written in it. */
const AGAINST = 4;
/** Handing out an element against the order, in reads. */
const HANDED_OUT = 2;

type Types = readonly (ValueType | undefined)[];

/** How often a node reads each element of an operand, beyond what it would for nothing. */
function readsOf({ op: name }: OpNode): number {
  return isContraction(knownOp(name)) ? 0 : (alongAxes(knownOp(name)?.name ?? name)?.reads ?? 1);
}

/** @param isVisible ids of values that must stay, whether or not a node reads them */
export function worthTurning(
  graph: Graph,
  types: Types,
  found: ReadonlyMap<NodeId, Turnable>,
  regions: Regions,
  isVisible: ReadonlySet<NodeId>,
): (region: number) => boolean {
  /** What turning saves, by region. */
  const saved = new Map<number, number>();
  const save = (region: number, amount: number): void => {
    const root = regions.find(region);
    saved.set(root, (saved.get(root) ?? 0) + amount);
  };
  const { inside, outside, views } = readings(graph, found, regions);
  const seen = (id: NodeId, order = found.get(id)!.order): number => AGAINST * against(order, types[id]!.dims!);
  for (const [region, reads] of views) for (const [id, most] of reads) save(region, most * seen(id));
  for (const [id, each] of found) {
    if (each.kind === 'view') continue;
    const reads = outside.get(id) ?? 0;
    const all = reads + (isVisible.has(id) ? HANDED_OUT : 0);
    if (each.kind === 'again') save(each.region, (all + (inside.get(id) ?? 0)) * seen(id, each.own));
    // What is seen in the order of the turned one is that one.
    if (!isInOrder(each.order)) save(each.region, -all * seen(id));
    if (each.kind === 'computed' && !isInOrder(each.order) && reads > 0) save(each.region, -elementsIn(types[id]!.dims!));
  }
  return (region) => (saved.get(regions.find(region)) ?? 0) > 0;
}

/** Who reads what, and how often. */
interface Readings {
  /** Of values of a region by its members: by id, the most reads of one of them, as they may become one kernel. */
  readonly inside: ReadonlyMap<NodeId, number>;
  /** Of values of a region by others: by id, all reads. */
  readonly outside: ReadonlyMap<NodeId, number>;
  /** Of views by members: by region and id, the most reads of one of them. */
  readonly views: ReadonlyMap<number, ReadonlyMap<NodeId, number>>;
}

function readings(graph: Graph, found: ReadonlyMap<NodeId, Turnable>, regions: Regions): Readings {
  const [inside, outside] = [new Map<NodeId, number>(), new Map<NodeId, number>()];
  const views = new Map<number, Map<NodeId, number>>();
  const most = (reads: Map<NodeId, number>, id: NodeId, count: number): void =>
    void reads.set(id, Math.max(count, reads.get(id) ?? 0));
  const viewsOf = (region: number): Map<NodeId, number> => {
    const root = regions.find(region);
    let own = views.get(root);
    if (own === undefined) views.set(root, (own = new Map()));
    return own;
  };
  for (const node of nodesOf(graph)) {
    if (!isOpNode(node) || !node.inputs.some((input) => found.has(input))) continue;
    const own = found.get(node.id);
    if (own !== undefined && own.kind !== 'computed') continue;
    const reads = readsOf(node);
    node.inputs.forEach((input, at) => {
      const read = found.get(input);
      if (read === undefined || node.inputs.indexOf(input) < at) return;
      if (own === undefined || own.beside[at] !== undefined) outside.set(input, reads + (outside.get(input) ?? 0));
      else if (read.kind === 'view') most(viewsOf(own.region), input, reads);
      else if (read.kind === 'again') most(inside, input, reads);
    });
  }
  return { inside, outside, views };
}
