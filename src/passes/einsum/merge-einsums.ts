/**
 * @file Joins contractions with those that they alone read, and with views, into one einsum of joined subscripts.
 *
 * `ac,cb->acb` then `acb->ab` is `ac,cb->ab`: a matrix product without the tensor of all products. What is joined is not
 * rounded in between, and may be summed in another order: float32 differs in the last places, int32 and bool not at all;
 * where NaN or Infinity is among the operands, see `plan/path/contractionPath.ts`. Nothing is joined that would take more
 * multiplications and additions, or a larger intermediate value, than before.
 */
import { findNode, isOpNode, type Graph, type NodeId, type OpNode } from '../../graph/graph.js';
import { inferTypes } from '../../graph/shapes.js';
import { topology } from '../../graph/topology.js';
import { isContraction } from '../../ops/fusedSteps.js';
import { knownOp } from '../../ops/known.js';
import { replaceNodes } from '../edit.js';
import type { Pass, Rewrite } from '../pass.js';
import { joiner } from './joiner.js';
import { overlay } from './overlay.js';

/** Rounds over the graph: what one rewrite lets go of may be what another one waits for. */
const MAX_ROUNDS = 4;

/** Cost: a few walks of the graph. The root of a group keeps its id and name; what nobody reads any more leaves a hole. */
export const mergeEinsums: Pass = {
  name: 'mergeEinsums',
  rewrite(graph, edit, context) {
    // A bundle that names no einsum has no op to write one with.
    const roots = knownOp('einsum') === undefined ? [] : rootsOf(graph);
    if (roots.length === 0) return;
    const state = overlay(graph, [...graph.outputs.map(({ id }) => id), ...context.keep]);
    const join = joiner(graph, inferTypes(graph), state, context);
    const rewrites: Rewrite[] = [];
    for (let round = 0, before = -1; round < MAX_ROUNDS && rewrites.length !== before; round++) {
      before = rewrites.length;
      for (const id of roots) {
        const node = state.find(id);
        const rewrite = node !== undefined && isOpNode(node) ? join(node) : undefined;
        if (rewrite !== undefined) rewrites.push(rewrite);
      }
    }
    if (rewrites.length > 0) edit((draft) => replaceNodes(draft, graph, state.changes), rewrites);
  },
};

/** Ops whose result one einsum can give: contractions, sums over axes, and what only reorders a contraction's axes. */
const isRoot = ({ op }: OpNode): boolean => op === 'sum' || op === 'transpose' || isContraction(knownOp(op));

/** Last ones first; only those that read what was computed.. */
function rootsOf(graph: Graph): readonly NodeId[] {
  const isComputed = (id: NodeId): boolean => {
    const node = findNode(graph, id);
    return node !== undefined && isOpNode(node);
  };
  const roots: NodeId[] = [];
  for (const id of topology(graph).order) {
    const node = findNode(graph, id)!;
    if (isOpNode(node) && isRoot(node) && node.inputs.some(isComputed)) roots.push(id);
  }
  return roots.reverse();
}
