/**
 * @file Second order without the second-order matrix: the Hessian times a direction, as the gradient of a directional slope.
 *
 * Pearlmutter, Fast Exact Multiplication by the Hessian, 1994.
 */
import type { Graph, Names } from '../graph/graph.js';
import { add, mul } from '../ops/binary/index.js';
import { sum } from '../ops/reduce/index.js';
import { extend } from './extend.js';
import { gradient } from './gradient.js';
import type { Further, GradientOptions } from './targets.js';

const SLOPE = 'directional.slope';

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
export function hvp<I extends Names>(graph: Graph<I>, options: Omit<GradientOptions, 'value'>): Graph<I & Further<'direction'>> {
  const first = gradient(graph, { ...options, value: false });
  const whole = extend(first, ({ symbolAt, typeOf, input }) => {
    const slopes = first.outputs.map(({ name, id }) => sum(mul(symbolAt(id), input(`${name}.direction`, typeOf(id)))));
    return { [SLOPE]: slopes.reduce((total, slope) => add(total, slope)) };
  });
  return gradient(whole, { ...options, of: SLOPE, seed: undefined }) as Graph<I & Further<'direction'>>;
}
