/**
 * @file Second order without the second-order matrix: the Hessian times a direction, as the gradient of a directional slope.
 *
 * Pearlmutter, Fast Exact Multiplication by the Hessian, 1994.
 */
import { builder, freezeGraph } from '../graph/builder.js';
import { chunked, findNode, type Graph, type Names } from '../graph/graph.js';
import { inferTypes } from '../graph/shapes.js';
import { add, mul } from '../ops/binary/index.js';
import { sum } from '../ops/reduce/index.js';
import type { GraphSymbol } from '../graph/builder.js';
import { gradient } from './gradient.js';
import type { GradientOptions } from './targets.js';

/**
 * The graph of the Hessian–vector product: for each of `wrt` the gradient of Σ over all of them of (gradient · direction). The
 * directions are inputs `<name>.direction`, of their variables' shapes.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: sum(mul(x, mul(x, x))) }));
 * evaluateSync(hvp(g, { of: 'y', wrt: ['x'] }), { x: [1, 2], 'x.direction': [1, 10] }).x.toArray() // => [6, 120]
 * ```
 *
 * @throws EinstreamError as `gradient`
 */
export function hvp<I extends Names>(graph: Graph<I>, options: Omit<GradientOptions, 'value'>): Graph<I> {
  const first = gradient(graph, { ...options, value: false });
  const nodes = Array.from({ length: first.size }, (_, id) => findNode(first, id));
  const types = inferTypes(first);
  const into = builder(nodes, [...types]);
  const directions: GraphSymbol[] = [];
  let slope: GraphSymbol | undefined;
  for (const { name, id } of first.outputs) {
    const { dims, dtype } = types[id]!;
    const direction = into.add((own) => ({ id: own, name: `${name}.direction`, op: 'input', inputs: [], dims, dtype }));
    directions.push(direction);
    const along = sum(mul(into.symbolAt(id), direction));
    slope = slope === undefined ? along : add(slope, along);
  }
  into.rename(slope!.id, 'directional.slope');
  const whole = freezeGraph<Names, Names>({
    chunks: chunked(nodes),
    size: nodes.length,
    inputs: [...first.inputs, ...directions.map(({ id }) => id)],
    outputs: [{ name: 'directional.slope', id: slope!.id }],
    faults: [],
  });
  const second = gradient(whole, { ...options, of: 'directional.slope', seed: undefined });
  return second as Graph<I>;
}
