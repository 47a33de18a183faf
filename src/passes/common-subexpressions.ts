/**
 * @file Values that are computed twice are computed once: equal ops with equal parameters on equal operands, equal constants.
 *
 * Operands may change places where that changes no bit (a + b and b + a, never a − b and b − a). Inputs and params are equal to
 * nothing: a feed may give each its own value. What a gradient computes again on purpose stays (`OpNode.isRecomputed`).
 */
import { findNode, isOpNode, type ConstantNode, type Graph, type NodeId } from '../graph/graph.js';
import { topology } from '../graph/topology.js';
import { firstEqualConstant } from './equal-constants.js';
import type { Pass, PassContext, Rewrite } from './pass.js';
import { changesOf, ownPlaces, replaceValues } from './replace-values.js';
import { firstEqual } from './value-numbers.js';

/**
 * Computes equal values once. Cost: two walks. A kept value stays and is read as before; what goes leaves a hole, and outputs turn to
 * the value that stays.
 *
 * ```ts
 * const g = graph({ x: input([2]), y: input([2]) }, ({ x, y }) => ({ s: add(x, y), t: add(y, x), d: sub(x, y), e: sub(y, x) }));
 * const { graph: once } = optimize(g, [eliminateCommonSubexpressions]);
 * once.outputs.map(({ name, id }) => [name, id]) // => [['s', 2], ['t', 2], ['d', 4], ['e', 5]]
 * ```
 */
export const eliminateCommonSubexpressions: Pass = {
  name: 'eliminateCommonSubexpressions',
  rewrite(graph, edit, context) {
    const { places, gone } = equalValues(graph, context);
    if (gone.size === 0) return;
    const rewrites = [...gone].map(([into, from]): Rewrite => ({ rule: 'same as', from, into }));
    edit((draft) => replaceValues(draft, graph, places, changesOf(graph, places)), rewrites);
  },
};

interface EqualValues {
  readonly places: Int32Array;
  /** Ids that need not be computed, by the one that stands for them. */
  readonly gone: ReadonlyMap<NodeId, readonly NodeId[]>;
}

/** What is equal to what, and may go for it. */
export function equalValues(graph: Graph, { keep, apart = [] }: Pick<PassContext, 'keep' | 'apart'>): EqualValues {
  const [kept, alone] = [keep, apart].map((ids) => {
    const marks = new Uint8Array(graph.size);
    for (const id of ids) marks[id] = 1;
    return marks;
  });
  // The number of a value is the first id that has it; a kept value has it too, but is no place for it to go.
  const [numbers, places] = [ownPlaces(graph.size), ownPlaces(graph.size)];
  const gone = new Map<NodeId, NodeId[]>();
  const firstOp = firstEqual(graph, numbers);
  const firstConstant = firstEqualConstant();
  for (const id of topology(graph).order) {
    const node = findNode(graph, id)!;
    if (alone[id] === 1) continue;
    let first = id;
    if (node.op === 'constant') first = firstConstant(node as ConstantNode);
    else if (isOpNode(node) && node.isRecomputed !== true) first = firstOp(node);
    if (first === id) continue;
    numbers[id] = first;
    if (kept[id] === 1) continue;
    places[id] = first;
    const others = gone.get(first);
    if (others === undefined) gone.set(first, [id]);
    else others.push(id);
  }
  return { places, gone };
}
