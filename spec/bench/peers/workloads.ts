/**
 * @file What is computed: inputs, shapes, the right result and how far from it one may be. All float32, row by row.
 */
import { numbers, uniform } from '../numbers.js';
import {
  chain,
  closure,
  perceptron,
  product,
  reversedAxes,
  scores,
  softmaxRows,
  sums,
  threeOperands,
  tinyChain,
  type Inputs,
} from './references.js';
import { trained } from './trained.js';

export interface Workload {
  readonly id: string;
  readonly what: string;
  readonly shapes: Readonly<Record<string, readonly number[]>>;
  readonly inputs: () => Inputs;
  readonly expected: (inputs: Inputs) => ArrayLike<number>;
  /** Largest distance of an element from the right one. */
  readonly tolerance: number;
  /** What is counted as useful work in one execution, and its unit. */
  readonly work?: { readonly amount: number; readonly unit: 'flop' | 'byte' };
}

const flop = (amount: number): Workload['work'] => ({ amount, unit: 'flop' });
const bytes = (elements: number): Workload['work'] => ({ amount: 4 * elements, unit: 'byte' });

const matmul = (n: number): Workload => ({
  id: `mm${n}`,
  what: `matrix product, ${n} × ${n}`,
  shapes: { a: [n, n], b: [n, n] },
  inputs: () => ({ a: numbers(n * n, 1), b: numbers(n * n, 2) }),
  expected: ({ a, b }) => product(a, b, n, n, n),
  tolerance: 1e-3,
  work: flop(2 * n ** 3),
});

const fused = (n: number): Workload => ({
  id: `ew${n / 1e6}m`,
  what: `eight elementwise ops on ${n / 1e6}e6 numbers`,
  shapes: { x: [n] },
  inputs: () => ({ x: numbers(n, 1, 3) }),
  expected: chain,
  tolerance: 1e-5,
  work: bytes(2 * n),
});

const SIDE = 2048;
const reduction = (id: string, what: string, tolerance: number, expected: Workload['expected']): Workload => ({
  id,
  what,
  shapes: { x: [SIDE, SIDE] },
  inputs: () => ({ x: numbers(SIDE * SIDE, 1) }),
  expected,
  tolerance,
  work: bytes(SIDE * SIDE),
});

const layers = (batch: number): Workload['shapes'] => ({
  x: [batch, 784],
  w1: [784, 256],
  b1: [256],
  w2: [256, 128],
  b2: [128],
  w3: [128, 10],
  b3: [10],
});
const layerInputs = (batch: number): Inputs => ({
  x: numbers(batch * 784, 1),
  w1: numbers(784 * 256, 2, 0.05),
  b1: numbers(256, 3, 0.1),
  w2: numbers(256 * 128, 4, 0.1),
  b2: numbers(128, 5, 0.1),
  w3: numbers(128 * 10, 6, 0.2),
  b3: numbers(10, 7, 0.1),
});

const mlp = (batch: number): Workload => ({
  id: `mlp${batch}`,
  what: `784 → 256 → 128 → 10 with softmax, batch ${batch}`,
  shapes: layers(batch),
  inputs: () => layerInputs(batch),
  expected: (inputs) => perceptron(inputs, batch),
  tolerance: 1e-4,
  work: flop(2 * batch * (784 * 256 + 256 * 128 + 128 * 10)),
});

/** One 1 in each row, at (7 · row) modulo `count`. */
function classes(rows: number, count: number): Float32Array {
  const result = new Float32Array(rows * count);
  for (let i = 0; i < rows; i++) result[i * count + ((i * 7) % count)] = 1;
  return result;
}

function sparse(count: number): Float32Array {
  const next = uniform(9);
  return Float32Array.from({ length: count }, () => (next() < 0.0025 ? 1 : 0));
}

export const workloads: readonly Workload[] = [
  matmul(64),
  matmul(256),
  matmul(512),
  matmul(1024),
  {
    id: 'attn',
    what: 'attention scores, bhqd,bhkd->bhqk',
    shapes: { q: [4, 8, 128, 64], k: [4, 8, 128, 64] },
    inputs: () => ({ q: numbers(32 * 128 * 64, 1), k: numbers(32 * 128 * 64, 2) }),
    expected: scores,
    tolerance: 1e-3,
    work: flop(2 * 32 * 128 * 128 * 64),
  },
  {
    id: 'ein3',
    what: 'ijk,jl,kl->il, each index 64',
    shapes: { a: [64, 64, 64], b: [64, 64], c: [64, 64] },
    inputs: () => ({ a: numbers(64 ** 3, 1), b: numbers(64 ** 2, 2), c: numbers(64 ** 2, 3) }),
    expected: threeOperands,
    tolerance: 2e-3,
    work: flop(2 * 64 ** 4),
  },
  {
    id: 'join3',
    what: 'xy,yz,zw->xw, each index 256',
    shapes: { a: [256, 256], b: [256, 256], c: [256, 256] },
    inputs: () => ({ a: numbers(256 ** 2, 1), b: numbers(256 ** 2, 2), c: numbers(256 ** 2, 3, 0.1) }),
    expected: ({ a, b, c }) => product(product(a, b, 256, 256, 256), c, 256, 256, 256),
    tolerance: 1e-3,
    work: flop(4 * 256 ** 3),
  },
  fused(1e6),
  fused(1e7),
  reduction('red0', 'sum over axis 0', 2e-3, ({ x }) => sums(x, SIDE, 'down')),
  reduction('red1', 'sum over axis 1', 2e-3, ({ x }) => sums(x, SIDE, 'across')),
  reduction('redall', 'sum of all', 10, ({ x }) => [x.reduce((total, value) => total + value, 0)]),
  reduction('redmax', 'max of all', 1e-6, ({ x }) => [x.reduce((most, value) => Math.max(most, value))]),
  {
    id: 'softmax',
    what: 'softmax over the last axis, 4096 × 1024',
    shapes: { x: [4096, 1024] },
    inputs: () => ({ x: numbers(4096 * 1024, 1, 4) }),
    expected: ({ x }) => softmaxRows(x, 1024),
    tolerance: 1e-6,
    work: bytes(2 * 4096 * 1024),
  },
  {
    id: 'perm',
    what: 'ijk->kji, each index 256',
    shapes: { x: [256, 256, 256] },
    inputs: () => ({ x: numbers(256 ** 3, 1) }),
    expected: ({ x }) => reversedAxes(x, 256),
    tolerance: 0,
    work: bytes(2 * 256 ** 3),
  },
  mlp(1),
  mlp(64),
  {
    id: 'train64',
    what: 'a step of training: 784 → 256 → 128 → 10, batch 64, SGD at 0.1',
    shapes: { ...layers(64), y: [64, 10] },
    inputs: () => ({ ...layerInputs(64), y: classes(64, 10) }),
    // Executions go on from one another, as training does; what is compared are the first few from the start.
    expected: (inputs) => trained(inputs, 64),
    tolerance: 1e-4,
    work: flop(3 * 2 * 64 * (784 * 256 + 256 * 128 + 128 * 10)),
  },
  {
    id: 'tiny',
    what: 'ten nodes on 16 numbers',
    shapes: { x: [16], a: [16], b: [16] },
    inputs: () => ({ x: numbers(16, 1), a: numbers(16, 2, 0.2, 1), b: numbers(16, 3, 0.2) }),
    expected: tinyChain,
    tolerance: 1e-5,
  },
  {
    id: 'closure',
    what: 'R = max(R, min(1, R·R)) eight times, 512 × 512',
    shapes: { r: [512, 512] },
    inputs: () => ({ r: sparse(512 * 512) }),
    expected: (inputs) => closure(inputs, 512),
    tolerance: 0,
    work: flop(8 * 2 * 512 ** 3),
  },
];
