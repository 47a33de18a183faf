/**
 * @file Which regions are worth turning: what is read against the order in which it lies, as things are and turned.
 *
 * A transposed value costs nothing by itself; who reads it pays, element by element. So a region is turned where its readers pay less
 * than its members do now. A contraction pays nothing, as it takes the order into its subscripts.
 *
 * An output is handed out row by row, so that a transpose of one is a copy, against the order, of what has been written already. For one
 * transposed operand that is read once, this is no gain: as many elements are read against their order, and all are written twice. It is
 * one for two operands or more, and for what reads its operand several times (softmax). The same holds of any reader that is no member,
 * and that might have been one kernel with the member that it reads.
 */
import { findNode, isOpNode, type Graph, type NodeId, type OpNode } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import { isContraction } from '../../ops/fusedSteps.js';
import { knownOp } from '../../ops/known.js';
import { alongAxes } from './folds.js';
import { against, elementsIn } from './order.js';
import type { Regions, Turnable } from './turnable.js';

/** An element read against the order, in elements written in it. */
const AGAINST = 4;

type Types = readonly (ValueType | undefined)[];

/** How often a node reads each element of an operand, beyond what it would for nothing. */
function readsOf({ op: name }: OpNode): number {
  return isContraction(knownOp(name)) ? 0 : (alongAxes(knownOp(name)?.name ?? name)?.reads ?? 1);
}

/** @param visible ids of values that must stay, whether or not a node reads them */
export function worthTurning(
  graph: Graph,
  types: Types,
  found: ReadonlyMap<NodeId, Turnable>,
  regions: Regions,
  visible: Iterable<NodeId>,
): (region: number) => boolean {
  /** What turning saves, by region. */
  const saved = new Map<number, number>();
  const save = (region: number, amount: number): void => {
    const root = regions.find(region);
    saved.set(root, (saved.get(root) ?? 0) + amount);
  };
  const { inside, outside, views } = readings(graph, found, regions, visible);
  const seen = (id: NodeId, order = found.get(id)!.order): number => AGAINST * against(order, types[id]!.dims!);
  for (const [region, reads] of views) for (const [id, most] of reads) save(region, most * seen(id));
  for (const [id, each] of found) {
    if (each.kind === 'view') continue;
    const out = outside.get(id) ?? 0;
    if (each.kind === 'again') {
      save(each.region, Math.max(out, inside.get(id) ?? 0) * seen(id, each.own) - out * seen(id));
      continue;
    }
    // What is seen in the order of the turned one is that one.
    const isSame = each.order.every((axis, at) => axis === at);
    if (out > 0 && !isSame) save(each.region, -out * seen(id) - elementsIn(types[id]!.dims!));
    for (const operand of each.beside) if (operand !== undefined && operand.against > 0) save(each.region, -AGAINST * operand.against);
  }
  return (region) => (saved.get(regions.find(region)) ?? 0) > 0;
}

/** Who reads what, and how often. */
interface Readings {
  /** Of values of a region by its members, and by others: by id, the most reads of one reader. */
  readonly inside: ReadonlyMap<NodeId, number>;
  readonly outside: ReadonlyMap<NodeId, number>;
  /** Of views by members, by region. */
  readonly views: ReadonlyMap<number, ReadonlyMap<NodeId, number>>;
}

function readings(graph: Graph, found: ReadonlyMap<NodeId, Turnable>, regions: Regions, visible: Iterable<NodeId>): Readings {
  const [inside, outside] = [new Map<NodeId, number>(), new Map<NodeId, number>()];
  const views = new Map<number, Map<NodeId, number>>();
  const note = (reads: Map<NodeId, number>, id: NodeId, count: number): void => {
    if (count > (reads.get(id) ?? 0)) reads.set(id, count);
  };
  const viewsOf = (region: number): Map<NodeId, number> => {
    const root = regions.find(region);
    let own = views.get(root);
    if (own === undefined) views.set(root, (own = new Map()));
    return own;
  };
  for (const id of visible) if (found.has(id)) note(outside, id, 1);
  for (const chunk of graph.chunks)
    for (const node of chunk) {
      if (node === undefined || !isOpNode(node) || !node.inputs.some((input) => found.has(input))) continue;
      const own = found.get(node.id);
      if (own?.kind === 'again' || own?.kind === 'view') continue;
      const reads = readsOf(node);
      node.inputs.forEach((input, at) => {
        const read = found.get(input);
        if (read === undefined) return;
        if (own === undefined || own.beside[at] !== undefined) note(outside, input, reads);
        else if (read.kind === 'view') note(viewsOf(own.region), input, reads);
        else if (read.kind === 'again') note(inside, input, reads);
      });
    }
  return { inside, outside, views };
}
