/**
 * @file Large tensors: blocks, tails and accuracy that small ones do not show.
 */
import { graph, input } from '../../graph/builder.js';
import type { Graph } from '../../graph/graph.js';
import { add, mul } from '../../ops/binary/index.js';
import { einsum } from '../../ops/einsum/einsum.js';
import { transpose } from '../../ops/movement/index.js';
import { max, mean, sum } from '../../ops/reduce/index.js';
import { tanh } from '../../ops/unary/index.js';
import { filled } from './cases.js';
import { holds, type Check, type Harness } from './harness.js';

const value = (i: number): number => ((i * 2654435761) % 1000) / 1000 - 0.5;

export const large = (harness: Harness): readonly Check[] => {
  const one = (title: string, g: Graph, sizes: Readonly<Record<string, readonly number[]>>): Check => ({
    title: `large: ${title}`,
    check: harness.on((backend) => {
      const feeds = Object.fromEntries(Object.entries(sizes).map(([name, shape]) => [name, filled(shape, 'float32', value)]));
      return holds(harness, backend, g, feeds, title);
    }),
  });
  const vector = graph({ x: input(['n']) }, ({ x }) => ({
    s: sum(x),
    m: mean(x),
    top: max(x),
    y: tanh(add(mul(x, 3), 1)),
  })) as Graph;
  const product = graph({ a: input(['n', 'k']), b: input(['k', 'm']) }, ({ a, b }) => ({
    y: einsum('ij,jk->ik', a, b),
  })) as Graph;
  const turned = graph({ x: input(['n', 'm']) }, ({ x }) => ({
    y: add(transpose(x), 1),
    s: sum(x, { axis: 0 }),
    r: sum(x, { axis: 1 }),
  })) as Graph;
  return [
    one('100,003 elements, folded and mapped', vector, { x: [100_003] }),
    one('a product of [67, 130] and [130, 43]', product, { a: [67, 130], b: [130, 43] }),
    one('a product of [1, 500] and [500, 1]', product, { a: [1, 500], b: [500, 1] }),
    one('a matrix of [301, 203], turned and folded along both axes', turned, { x: [301, 203] }),
  ];
};
