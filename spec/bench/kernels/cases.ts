/**
 * @file The workloads that kernels are measured with: a graph, what it is fed, and what elements of its output should be.
 */
// prettier-ignore
import { add, einsum, exp, graph, input, max, maximum, minimum, mul, relu, sigmoid, softmax, sum, tanh, type Graph, type Shape } from '../../../src/index.js';
import { numbers } from '../workloads.js';
import * as reference from './references.js';

export type Arrays = Readonly<Record<string, Float32Array>>;

/** One workload. */
export interface Case {
  readonly name: string;
  /** Floating-point operations or bytes moved. */
  readonly work: number;
  readonly unit: 'flop' | 'byte';
  /** Milliseconds of hand-written kernels on the yardstick machine (AMD Zen 3, Node 20): with relaxed SIMD, without. */
  readonly bare: readonly [relaxed: number, plain: number];
  readonly tolerance: number;
  readonly graph: () => Graph;
  readonly shapes: Readonly<Record<string, Shape>>;
  readonly feeds: () => Arrays;
  /** A function from the position of an output element to its value. */
  readonly expected: (feeds: Arrays) => (at: number) => number;
}

const product = (n: number, bare: Case['bare']): Case => ({
  name: `mm${n}`,
  work: 2 * n ** 3,
  unit: 'flop',
  bare,
  tolerance: 1e-3,
  graph: () => graph({ a: input([n, n]), b: input([n, n]) }, ({ a, b }) => ({ y: einsum('ij,jk->ik', a, b) })),
  shapes: { a: [n, n], b: [n, n] },
  feeds: () => ({ a: numbers(n * n, 1), b: numbers(n * n, 2) }),
  expected: ({ a, b }) => reference.product(a, b, n, n),
});

const chain = (name: string, n: number, bare: Case['bare']): Case => ({
  name,
  work: 8 * n,
  unit: 'byte',
  bare,
  tolerance: 1e-5,
  graph: () =>
    graph({ x: input([n]) }, ({ x }) => ({
      y: add(minimum(exp(relu(tanh(sigmoid(add(mul(x, 1.5), 0.25))))), 2), 0.5),
    })),
  shapes: { x: [n] },
  feeds: () => ({ x: numbers(n, 1, 3) }),
  expected:
    ({ x }) =>
    (at) => {
      const y = Math.tanh(1 / (1 + Math.exp(-(x[at] * 1.5 + 0.25))));
      return Math.min(Math.exp(Math.max(y, 0)), 2) + 0.5;
    },
});

const SIDE = 2048;
type Square = Parameters<typeof sum>[0];

const folded = (
  name: string,
  bare: Case['bare'],
  tolerance: number,
  fold: (x: Square) => Square,
  expected: Case['expected'],
): Case => ({
  name,
  work: 4 * SIDE ** 2,
  unit: 'byte',
  bare,
  tolerance,
  graph: () => graph({ x: input([SIDE, SIDE]) }, ({ x }) => ({ y: fold(x as Square) as never })),
  shapes: { x: [SIDE, SIDE] },
  feeds: () => ({ x: numbers(SIDE ** 2, 1) }),
  expected,
});

/** Layers of a perceptron, of which the last one only classifies. */
const perceptron = (batch: number, bare: Case['bare']): Case => ({
  name: `mlp${batch}`,
  work: 2 * batch * (784 * 256 + 256 * 128 + 1280),
  unit: 'flop',
  bare,
  tolerance: 1e-4,
  graph: () =>
    graph(
      {
        x: input([batch, 784]),
        w1: input([784, 256]),
        b1: input([256]),
        w2: input([256, 128]),
        b2: input([128]),
        w3: input([128, 10]),
        b3: input([10]),
      },
      ({ x, w1, b1, w2, b2, w3, b3 }) => {
        const first = relu(add(einsum('ij,jk->ik', x, w1), b1));
        const second = relu(add(einsum('ij,jk->ik', first, w2), b2));
        return { y: softmax(add(einsum('ij,jk->ik', second, w3), b3), { axis: -1 }) };
      },
    ),
  shapes: { x: [batch, 784], w1: [784, 256], b1: [256], w2: [256, 128], b2: [128], w3: [128, 10], b3: [10] },
  feeds: () => ({
    x: numbers(batch * 784, 1),
    w1: numbers(784 * 256, 2, 0.05),
    b1: numbers(256, 3, 0.1),
    w2: numbers(256 * 128, 4, 0.1),
    b2: numbers(128, 5, 0.1),
    w3: numbers(1280, 6, 0.2),
    b3: numbers(10, 7, 0.1),
  }),
  expected: (feeds) => reference.perceptron(feeds, batch),
});

export const CASES: readonly Case[] = [
  product(64, [0.019, 0.026]),
  product(256, [1.09, 1.36]),
  product(512, [8.9, 11.9]),
  product(1024, [58.8, 86.5]),
  {
    name: 'attn',
    work: 2 * 32 * 128 * 128 * 64,
    unit: 'flop',
    bare: [2.69, 3.68],
    tolerance: 1e-3,
    graph: () =>
      graph({ q: input([4, 8, 128, 64]), k: input([4, 8, 128, 64]) }, ({ q, k }) => ({ y: einsum('bhqd,bhkd->bhqk', q, k) })),
    shapes: { q: [4, 8, 128, 64], k: [4, 8, 128, 64] },
    feeds: () => ({ q: numbers(32 * 128 * 64, 1), k: numbers(32 * 128 * 64, 2) }),
    expected: ({ q, k }) => reference.attention(q, k),
  },
  {
    name: 'ein3',
    work: 2 * 64 ** 4,
    unit: 'flop',
    bare: [2.2, 2.33],
    tolerance: 2e-3,
    graph: () =>
      graph({ a: input([64, 64, 64]), b: input([64, 64]), c: input([64, 64]) }, ({ a, b, c }) => ({
        y: einsum('ijk,jl,kl->il', a, b, c),
      })),
    shapes: { a: [64, 64, 64], b: [64, 64], c: [64, 64] },
    feeds: () => ({ a: numbers(64 ** 3, 1), b: numbers(4096, 2), c: numbers(4096, 3) }),
    expected: ({ a, b, c }) => reference.threeWay(a, b, c),
  },
  {
    name: 'join3',
    work: 4 * 256 ** 3,
    unit: 'flop',
    bare: [2.3, 3.1],
    tolerance: 1e-3,
    graph: () =>
      graph({ a: input([256, 256]), b: input([256, 256]), c: input([256, 256]) }, ({ a, b, c }) => ({
        y: einsum('xy,yz,zw->xw', a, b, c),
      })),
    shapes: { a: [256, 256], b: [256, 256], c: [256, 256] },
    feeds: () => ({ a: numbers(65536, 1), b: numbers(65536, 2), c: numbers(65536, 3, 0.1) }),
    expected: ({ a, b, c }) => reference.chained(a, b, c),
  },
  chain('ew1m', 1e6, [5.35, 8.09]),
  chain('ew10m', 1e7, [53.3, 80.9]),
  folded(
    'red0',
    [1.27, 1.38],
    2e-3,
    (x) => sum(x, { axis: 0 }),
    ({ x }) => reference.lineSum(x, SIDE, 1, SIDE, SIDE),
  ),
  folded(
    'red1',
    [1.8, 1.76],
    2e-3,
    (x) => sum(x, { axis: 1 }),
    ({ x }) => reference.lineSum(x, SIDE, SIDE, SIDE, 1),
  ),
  folded(
    'redall',
    [1.82, 2.02],
    10,
    (x) => sum(x),
    ({ x }) => reference.lineSum(x, 1, 0, SIDE ** 2, 1),
  ),
  folded(
    'redmax',
    [2.17, 2.34],
    1e-6,
    (x) => max(x),
    ({ x }) =>
      () =>
        x.reduce((a, b) => Math.max(a, b), -Infinity),
  ),
  {
    name: 'softmax',
    work: 8 * 4096 * 1024,
    unit: 'byte',
    bare: [7.26, 8.81],
    tolerance: 1e-6,
    graph: () => graph({ x: input([4096, 1024]) }, ({ x }) => ({ y: softmax(x, { axis: -1 }) })),
    shapes: { x: [4096, 1024] },
    feeds: () => ({ x: numbers(4096 * 1024, 1, 4) }),
    expected: ({ x }) => reference.softmaxRows(x, 1024),
  },
  {
    name: 'perm',
    work: 8 * 256 ** 3,
    unit: 'byte',
    bare: [54.2, 52.9],
    tolerance: 0,
    graph: () => graph({ x: input([256, 256, 256]) }, ({ x }) => ({ y: einsum('ijk->kji', x) })),
    shapes: { x: [256, 256, 256] },
    feeds: () => ({ x: numbers(256 ** 3, 1) }),
    expected:
      ({ x }) =>
      (at) =>
        x[(at % 256) * 65536 + ((at >> 8) % 256) * 256 + (at >> 16)],
  },
  perceptron(1, [0.048, 0.051]),
  perceptron(64, [1.23, 1.48]),
  {
    name: 'closure',
    work: 16 * 512 ** 3,
    unit: 'flop',
    bare: [70.3, 97.9],
    tolerance: 0,
    graph: () =>
      graph({ r: input([512, 512]) }, ({ r }) => {
        let y = r as Square;
        for (let i = 0; i < 8; i++) y = maximum(y, minimum(1, einsum('ij,jk->ik', y, y)));
        return { y: y as never };
      }),
    shapes: { r: [512, 512] },
    feeds: () => ({ r: numbers(512 * 512, 9).map((value) => (value / 2 + 0.5 < 0.0025 ? 1 : 0)) }),
    expected: ({ r }) => reference.reachable(r, 512, 8),
  },
];
