/**
 * @file Random directed graphs whose values have many sizes and live long and short: what planners of memory are tried on.
 */
import { add, einsum, graph, input, matmul, mul, param, reshape, sigmoid, sqrt, relu, sum, tensor, type Graph, type GraphSymbol } from '../../src/index.js'; // prettier-ignore
import { seeded } from './seeded.js';

const WIDTHS = [8, 20, 32, 50, 64, 96, 128, 200];

/** Columns that each are a mean of the row: whatever is multiplied with it stays in its range. */
const means = (from: number, to: number) => reshape(tensor(new Float32Array(from * to).fill(1 / from)), { shape: [from, to] });

/**
 * About `count` ops over x [16, 32]: activations, means, products with weights of other widths, and readers far from what they read.
 * Every value stays between 0 and 1, far from the ends of float32.
 */
export function sizedDag(seed: number, count = 200): Graph {
  const next = seeded(seed);
  const weights = Object.fromEntries(
    WIDTHS.flatMap((from) => WIDTHS.map((to) => [`w${from}_${to}`, param(means(from, to))] as const)),
  );
  return graph({ x: input([16, 32]), ...weights }, ({ x, ...given }) => {
    const values: GraphSymbol[] = [sigmoid(x)];
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
      if (kind < 0.3) made = kind < 0.15 ? sigmoid(a) : relu(a);
      else if (kind < 0.65) {
        const to = WIDTHS[Math.floor(next() * WIDTHS.length)];
        made = matmul(a, (given as Record<string, GraphSymbol>)[`w${width}_${to}`]);
      } else {
        const b = values.findLast((each) => each !== a && each.dims![1] === width) ?? a;
        unread.delete(b);
        made = kind < 0.9 ? mul(add(a, b), 0.5) : sqrt(einsum('ij,ij->ij', a, b));
      }
      values.push(made);
      unread.add(made);
    }
    return { y: [...unread].map((value) => sum(value)).reduce((total, each) => add(total, each)) };
  });
}
