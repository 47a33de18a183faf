/**
 * @file Recording on a stream: the tape is made of the values that steps emit.
 */
import { tap } from 'rxjs';
import type { Target } from '../autodiff/targets.js';
import { wayBack } from '../autodiff/way-back.js';
import { findNode, isOpNode, nameOf, type Graph, type NodeId } from '../graph/graph.js';
import { inferTypes } from '../graph/shapes.js';
import { isFloating } from '../tensor/dtype.js';
import { valueOf, type Frame } from './frame.js';
import type { Middleware } from './step.js';
import { tapeOf } from './tapes.js';

/**
 * Records each feed's values as they are emitted, so that `backpropagate` finds the way back from the outputs. Only values that
 * rules for gradients read are kept, as long as their outputs are.
 *
 * What middleware before it in the list gives a node counts as if the node had computed it.
 *
 * ```ts
 * const g = graph({ x: input([2]), w: param(tensor([3, 4])) }, ({ x, w }) => ({ y: sum(mul(x, w)) }));
 * const gradients$ = of({ x: [1, 2] }).pipe(run(g, { use: [taping()] }), backpropagate({ of: 'y' }));
 * gradients$.pipe(map(({ x, w }) => [x.toArray(), w.toArray()])) // => [[[3, 4], [1, 2]]]
 * ```
 */
export function taping(): Middleware {
  const wrap: Middleware = (step, node, { source, position, count }) => {
    // Inputs are there when the first step runs; every other value when its own has.
    const own = readsOf(source).filter((id) => id === node.id || (position === 0 && !isOpNode(findNode(source, id)!)));
    if (own.length === 0 && position < count - 1) return step;
    return (frames$) => frames$.pipe(step, tap((frame) => note(frame, own))); // prettier-ignore
  };
  return Object.assign(wrap, { keeps: (graph: Graph) => readsOf(graph).filter((id) => isOpNode(findNode(graph, id)!)) });
}

function note(frame: Frame, ids: readonly NodeId[]): void {
  const { values } = tapeOf(frame);
  for (const id of ids) values.set(id, valueOf(frame, id));
}

const known = new WeakMap<Graph, readonly NodeId[]>();

/** Ids of all values that some way back from an output to an input reads. */
function readsOf(graph: Graph): readonly NodeId[] {
  let found = known.get(graph);
  if (found === undefined) {
    const types = inferTypes(graph);
    const isReal = ({ id }: Target): boolean => types[id]!.dtype === undefined || isFloating(types[id]!.dtype);
    const of = graph.outputs.filter(isReal);
    const wrt = graph.inputs.map((id) => ({ name: nameOf(findNode(graph, id)!), id })).filter(isReal);
    known.set(graph, (found = of.length === 0 || wrt.length === 0 ? [] : wayBack(graph, of, wrt, 'skip').reads));
  }
  return found;
}
