/**
 * @file Layout choice: transposes sink below what the order of axes does not matter to, until they meet and cancel, or until who reads
 * them takes them in for nothing.
 *
 * A transpose is a view: it moves no element, but a kernel that reads through it reads against the order in which elements lie. So
 * f(xᵀ, yᵀ) becomes f(x, y)ᵀ, and a fold along an axis of xᵀ one along an axis of x, where less is read against the order then
 * (`layout/weigh.ts`). Every element is computed of the same numbers in the same order, so no bit of what `js` gives changes; vector kernels
 * add in an order that depends on how elements lie, with and without this.
 */
import { nodesOf, type Graph } from '../graph/graph.js';
import { inferTypes } from '../graph/shapes.js';
import { knownOp } from '../ops/known.js';
import { appendNodes } from './edit.js';
import { findTurnable } from './layout/find-turnable.js';
import { orders } from './layout/order.js';
import { turned } from './layout/turned.js';
import { regions } from './layout/turnable.js';
import { worthTurning } from './layout/weigh.js';
import type { Pass } from './pass.js';
import { replaceValues } from './replace-values.js';

/**
 * Turns what is computed of transposes where that saves reading against the order. Cost: a few walks of a graph that has a transpose.
 *
 * A value that is seen of a turned one from now on keeps its id and name, and goes where nobody reads it; kept values stay.
 *
 * ```ts
 * const g = graph({ x: input([4, 8]), y: input([4, 8]) }, ({ x, y }) => ({ z: transpose(relu(add(transpose(x), transpose(y)))) }));
 * const { graph: straight } = optimize(g, [chooseLayout]);
 * [...nodesOf(straight)].map(({ op }) => op) // => ['input', 'input', 'add', 'relu']
 * ```
 */
export const chooseLayout: Pass = {
  name: 'chooseLayout',
  rewrite(graph, edit, { keep, apart = [] }) {
    if (!hasTranspose(graph)) return;
    const types = inferTypes(graph);
    const [all, sets] = [orders(), regions()];
    const found = findTurnable(graph, types, apart, all, sets);
    const kept = new Set([...keep, ...apart]);
    const visible = new Set([...kept, ...graph.outputs.map(({ id }) => id)]);
    const isWorth = worthTurning(graph, types, found, sets, visible);
    const { places, changes, added, rewrites } = turned(graph, found, isWorth, all, visible, kept);
    if (rewrites.length === 0) return;
    edit((draft) => {
      replaceValues(draft, graph, places, changes);
      appendNodes(draft, added);
    }, rewrites);
  },
};

function hasTranspose(graph: Graph): boolean {
  if (knownOp('transpose') === undefined) return false;
  for (const { op } of nodesOf(graph)) if (op === 'transpose' || knownOp(op)?.name === 'transpose') return true;
  return false;
}
