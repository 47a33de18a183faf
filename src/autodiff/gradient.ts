/**
 * @file Reverse-mode gradient as a graph-to-graph transformation.
 *
 * The result is an ordinary graph: it is optimised, scheduled and run like any other, and may be differentiated again.
 */
import { fault } from '../errors/index.js';
import { builder, freezeGraph, type GraphSymbol } from '../graph/builder.js';
import { chunked, findNode, type Graph, type Names, type Node, type NodeId, type Output } from '../graph/graph.js';
import { inferTypes } from '../graph/shapes.js';
import { ancestors } from '../graph/topology.js';
import { throwIfBroken } from '../graph/validate/validate.js';
import { differentiate } from './differentiate.js';
import { reach } from './reach.js';
import { keptValues, recomputing } from './recompute.js';
import { filledLike, seedOf } from './seed.js';
import { checkOptions, requireFloating, targetsOf, type Further, type GradientOptions, type Target } from './targets.js';

/**
 * The graph of the gradients of `of` by each of `wrt`; its outputs are called as in `wrt`, and each has its variable's shape.
 *
 * What `of` does not depend on has a gradient of zeros. Where several paths lead, gradients add. A gradient of 0 stays 0 however
 * steep the function is there. At kinks: relu, abs and sign have slope 0 at 0; ties of max and min share evenly.
 *
 * ```ts
 * const g = graph({ x: input([3]) }, ({ x }) => ({ y: sum(square(x)) }));
 * evaluateSync(gradient(g, { of: 'y', wrt: ['x'] }), { x: [1, 2, 3] }).x.toArray() // => [2, 4, 6]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for names that no value has; E_GRADIENT for an op without a rule (naming op and path), integers,
 *   and a target that is no scalar where no `seed` is given; the first fault of a broken graph
 */
export function gradient<I extends Names>(graph: Graph<I>, options: GradientOptions): Graph<I & Further<'cotangent'>> {
  checkOptions(options);
  throwIfBroken(graph);
  const { value = false, seed, checkpoints = 'all' } = options;
  const of = targetsOf(graph, 'of', options.of);
  const wrt = targetsOf(graph, 'wrt', options.wrt);
  if (value) requireApart(of, wrt);
  const types = inferTypes(graph);
  for (const each of of) requireFloating('what is differentiated', each, types[each.id]!);
  for (const each of wrt) requireFloating('what is differentiated by', each, types[each.id]!);

  const nodes = Array.from({ length: graph.size }, (_, id) => findNode(graph, id));
  const into = builder(nodes, [...types], new Map());
  const seeds = of.map((each) => seedOf(each, types[each.id]!, into, seed));
  const weights = of.map(({ id }, at) => ({ id, weight: seeds[at] }));
  const way = reach(graph, of.map(({ id }) => id), wrt.map(({ id }) => id)); // prettier-ignore
  const kept = keptValues(graph, way.backwards, checkpoints);
  const valueOf = kept === undefined ? into.symbolAt : recomputing(graph, into, (id) => kept.has(id));
  const gradients = differentiate(graph, way, weights, wrt, valueOf);
  const outputs: Output[] = value ? [...of] : [];
  for (const { name, id } of wrt) {
    const symbol = (gradients.get(id) ?? filledLike(into.symbolAt(id), 0)) as GraphSymbol;
    if (nodes[symbol.id]!.name === undefined) into.rename(symbol.id, `${name}.gradient`);
    outputs.push({ name, id: symbol.id });
  }
  const inputs = seed === 'feed' ? [...graph.inputs, ...seeds.map(({ id }) => id)] : graph.inputs;
  return pruned(nodes, inputs, outputs);
}

/** Without the nodes that no output depends on; inputs stay, so that the same feeds fit. */
export function pruned<I extends Names>(
  nodes: readonly (Node | undefined)[],
  inputs: readonly NodeId[],
  outputs: readonly Output[],
): Graph<I> {
  const whole = { chunks: chunked(nodes), size: nodes.length, inputs, outputs, faults: [] };
  const live = ancestors(whole, [...inputs, ...outputs.map(({ id }) => id)]);
  if (live.every((mark) => mark === 1)) return freezeGraph<I, Names>(whole);
  return freezeGraph<I, Names>({ ...whole, chunks: chunked(nodes.map((node, id) => (live[id] === 1 ? node : undefined))) });
}

function requireApart(of: readonly Target[], wrt: readonly Target[]): void {
  const both = of.find(({ name }) => wrt.some((each) => each.name === name));
  if (both !== undefined)
    throw fault('E_ARGUMENT', {
      place: 'gradient',
      rule: 'with `value`, a name is either in `of` or in `wrt`: outputs are called by them',
      actual: JSON.stringify(both.name),
    });
}
