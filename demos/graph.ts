/**
 * @file One value's way through a graph: built, checked, optimised, run.
 *
 *     npm run --silent demo demos/graph.ts
 */
import { of } from 'rxjs';
import { add, einsum, graph, inferShapes, input, ones, param, relu, run, steps, validate, zeros } from '../src/index.js';

// A graph is a function of its inputs. The ops are those that compute on tensors; on symbols they add a node.
const layer = graph({ x: input(['n', 3]), w: param(ones([3, 2])), b: param(zeros([2])) }, ({ x, w, b }) => ({
  y: relu(add(einsum('ni,io->no', x, w), b)),
}));

console.log('faults ', validate(layer).length);
console.log('shapes ', [...inferShapes(layer, { x: [4, 3] })].map(([name, dims]) => `${name} [${dims.join(', ')}]`).join('  '));

// Each node of the optimised graph is one step, an operator on frames. Optimising makes fewer of them.
for (const level of ['none', 'standard'] as const)
  console.log(
    `steps   ${level}: ${steps(layer, { level })
      .map(({ node }) => node.op)
      .join(' → ')}`,
  );

// So a graph is an operator from feeds to outputs. A param has a value; a feed may override it.
of(
  {
    x: [
      [1, 2, 3],
      [-4, 0, 1],
    ],
  },
  {
    x: [[1, 1, 1]],
    w: [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
  },
)
  .pipe(run(layer))
  .subscribe(({ y }) => console.log('output ', JSON.stringify(y.toArray())));
