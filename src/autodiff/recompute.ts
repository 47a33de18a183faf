/**
 * @file Gradient checkpointing: values that were not kept are computed again, each once, when the way back needs them.
 *
 * The copies are marked, so that no pass takes them for the values that they repeat.
 * Chen et al., Training Deep Nets with Sublinear Memory Cost, 2016.
 */
import type { Builder, GraphSymbol } from '../graph/builder.js';
import { findNode, isOpNode, type Graph, type NodeId, type OpNode } from '../graph/graph.js';
import { targetsOf, type GradientOptions } from './targets.js';

/** The value of each id for the way back: itself where it is kept, else a copy of its op over kept values. */
export function recomputing(graph: Graph, into: Builder, isKept: (id: NodeId) => boolean): (id: NodeId) => GraphSymbol {
  const copies = new Map<NodeId, GraphSymbol>();
  const known = (id: NodeId): GraphSymbol | undefined =>
    copies.get(id) ?? (isKept(id) || !isOpNode(findNode(graph, id)!) ? into.symbolAt(id) : undefined);
  return (wanted) => {
    // A stack of our own: segments may be longer than the engine's.
    const stack = [wanted];
    while (stack.length > 0) {
      const id = stack.at(-1)!;
      if (known(id) !== undefined) {
        stack.pop();
        continue;
      }
      const { op, inputs, params } = findNode(graph, id) as OpNode;
      const missing = inputs.filter((input) => known(input) === undefined);
      if (missing.length > 0) stack.push(...missing);
      else {
        const operands = inputs.map((input) => known(input)!.id);
        copies.set(
          id,
          into.add((copy) => ({ id: copy, op, inputs: operands, params, isRecomputed: true })),
        );
      }
    }
    return known(wanted)!;
  };
}

/** Ids of the ops whose values are kept; undefined where all are. @throws EinstreamError E_ARGUMENT for unknown names */
export function keptValues(
  graph: Graph,
  backwards: readonly OpNode[],
  checkpoints: NonNullable<GradientOptions['checkpoints']>,
): ReadonlySet<NodeId> | undefined {
  if (checkpoints === 'all') return undefined;
  if (isNames(checkpoints)) return new Set(targetsOf(graph, 'checkpoints', checkpoints).map(({ id }) => id));
  const step = checkpoints === 'sqrt' ? Math.max(1, Math.ceil(Math.sqrt(backwards.length))) : checkpoints.interval;
  return new Set(backwards.filter((_, at) => at % step === 0).map(({ id }) => id));
}

const isNames = (checkpoints: NonNullable<GradientOptions['checkpoints']>): checkpoints is readonly string[] =>
  Array.isArray(checkpoints);
