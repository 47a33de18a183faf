/**
 * @file Random directed graphs whose values have many sizes and live long and short: what planners of memory are tried on.
 */
import {
  add,
  einsum,
  graph,
  input,
  matmul,
  ones,
  param,
  relu,
  sum,
  tanh,
  type Graph,
  type GraphSymbol,
} from '../../src/index.js';
import { seeded } from './seeded.js';

const WIDTHS = [8, 20, 32, 50, 64, 96, 128, 200];

/** `count` ops over x [16, 32]: activations, sums, products with weights of other widths, and readers far from what they read. */
export function sizedDag(seed: number, count = 200): Graph {
  const next = seeded(seed);
  const weights = Object.fromEntries(
    WIDTHS.flatMap((from) => WIDTHS.map((to) => [`w${from}_${to}`, param(ones([from, to]))] as const)),
  );
  return graph({ x: input([16, 32]), ...weights }, ({ x, ...given }) => {
    const values: GraphSymbol[] = [x];
    const unread = new Set<GraphSymbol>();
    const pick = (): GraphSymbol => {
      const value = values[Math.max(0, values.length - 1 - Math.floor(next() ** 3 * 40))];
      unread.delete(value);
      return value;
    };
    while (values.length <= count) {
      const [a, kind] = [pick(), next()];
      const width = a.dims![1] as number;
      let made: GraphSymbol;
      if (kind < 0.3) made = kind < 0.15 ? tanh(a) : relu(a);
      else if (kind < 0.65) {
        const to = WIDTHS[Math.floor(next() * WIDTHS.length)];
        made = matmul(a, (given as Record<string, GraphSymbol>)[`w${width}_${to}`]);
      } else {
        const b = values.findLast((each) => each !== a && each.dims![1] === width) ?? a;
        unread.delete(b);
        made = kind < 0.9 ? add(a, b) : einsum('ij,ij->ij', a, b);
      }
      values.push(made);
      unread.add(made);
    }
    return { y: [...unread].map((value) => sum(value)).reduce((total, each) => add(total, each)) };
  });
}
