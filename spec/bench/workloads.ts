/**
 * @file What is measured: small graphs that show the engine's own cost, and kernels that show the backend's.
 */
import { map, Subject, type Observable } from 'rxjs';
import {
  add,
  einsum,
  graph,
  input,
  mul,
  param,
  relu,
  run,
  softmax,
  sum,
  tensor,
  type Feed,
  type Graph,
  type RunOptions,
  type Tensor,
} from '../../src/index.js';
import { numbers } from './numbers.js';

export { numbers };

/** One thing to time: `round` does `events` of it. */
export interface Workload {
  readonly name: string;
  readonly events: number;
  readonly round: () => void;
  /** Throws when the results are wrong. */
  readonly check: () => void;
}

const TINY = { a: numbers(16, 2, 0.2, 1), b: numbers(16, 3, 0.2), x: numbers(16, 1) };

/** Ten nodes on 16 numbers: three times multiply, add, relu; then one more addition. */
export const tinyGraph = () =>
  graph({ x: input([16]), a: param(tensor(TINY.a)), b: param(tensor(TINY.b)) }, ({ x, a, b }) => {
    let y = x;
    for (let i = 0; i < 3; i++) y = relu(add(mul(y, a), b));
    return { y: add(y, a) };
  });

export const tinyFeeds = () => ({ x: tensor(TINY.x) });

export function tinyExpected(): readonly number[] {
  const { fround } = Math;
  return Array.from(TINY.x, (first, i) => {
    let y = first;
    for (let k = 0; k < 3; k++) y = Math.max(fround(fround(y * TINY.a[i]) + TINY.b[i]), 0);
    return fround(y + TINY.a[i]);
  });
}

/** A graph under one subscription, fed from a subject. */
export function streamed(
  name: string,
  g: Graph,
  feeds: Readonly<Record<string, Feed>>,
  expected: readonly number[],
  tolerance: number,
  events: number,
  options: RunOptions = {},
): Workload {
  const feeds$ = new Subject<Readonly<Record<string, Feed>>>();
  let last: readonly number[] = [];
  let isChecking = false;
  let count = 0;
  feeds$.pipe(run(g, options)).subscribe((outputs) => {
    count++;
    if (isChecking) last = Array.from(outputs.y.data as Float32Array);
  });
  return {
    name,
    events,
    round() {
      for (let i = 0; i < events; i++) feeds$.next(feeds);
    },
    check() {
      isChecking = true;
      const before = count;
      feeds$.next(feeds);
      isChecking = false;
      const worst = Math.max(...expected.map((value, i) => Math.abs(value - last[i])));
      if (count !== before + 1 || last.length !== expected.length || !(worst <= tolerance))
        throw new Error(`${name}: results are wrong by ${worst}`);
    },
  };
}

/** The yardstick: a bare chain of ten `map`s. */
export function tenMaps(events: number): Workload {
  const values$ = new Subject<number>();
  let last = 0;
  let chain$: Observable<number> = values$;
  for (let i = 0; i < 10; i++) chain$ = chain$.pipe(map((x) => x + 1));
  chain$.subscribe((x) => (last = x));
  return {
    name: 'rxjs: a subject and ten maps',
    events,
    round() {
      for (let i = 0; i < events; i++) values$.next(i);
    },
    check() {
      values$.next(5);
      if (last !== 15) throw new Error(`ten maps gave ${last}`);
    },
  };
}

export const tiny = (name: string, options: RunOptions): Workload =>
  streamed(name, tinyGraph(), tinyFeeds(), tinyExpected(), 0, 1000, options);

/** Kernels of the backend, each against a plain loop in float64. */
export function kernels(options: RunOptions = {}): readonly Workload[] {
  const n = 128;
  const [a, b] = [numbers(n * n, 1), numbers(n * n, 2)];
  const product = Array.from({ length: n * n }, (_, at) => {
    let total = 0;
    for (let k = 0; k < n; k++) total += a[Math.floor(at / n) * n + k] * b[k * n + (at % n)];
    return total;
  });
  const rows = Array.from({ length: n }, (_, i) => a.subarray(i * n, (i + 1) * n).reduce((total, value) => total + value, 0));
  const soft = Array.from({ length: n }, (_, i) => softmaxRow(a.subarray(i * n, (i + 1) * n))).flat();
  const matrix = (values: Float32Array): Tensor => tensor(values, { shape: [n, n] });
  const one = (op: (x: never) => unknown): Graph => graph({ x: input([n, n]) }, ({ x }) => ({ y: op(x as never) as typeof x }));
  return [
    streamed(
      'einsum ij,jk->ik, 128 × 128',
      graph({ a: input([n, n]), b: param(matrix(b)) }, (s) => ({ y: einsum('ij,jk->ik', s.a, s.b) })),
      { a: matrix(a) },
      product,
      1e-4,
      4,
      options,
    ),
    streamed(
      'sum over rows, 128 × 128',
      one((x) => sum(x, { axis: 1 })),
      { x: matrix(a) },
      rows,
      1e-4,
      40,
      options,
    ),
    streamed(
      'softmax over rows, 128 × 128',
      one((x) => softmax(x, { axis: -1 })),
      { x: matrix(a) },
      soft,
      1e-6,
      8,
      options,
    ),
  ];
}

function softmaxRow(row: Float32Array): readonly number[] {
  const largest = row.reduce((x, y) => Math.max(x, y), -Infinity);
  const powers = Array.from(row, (x) => Math.exp(x - largest));
  const total = powers.reduce((x, y) => x + y, 0);
  return powers.map((x) => x / total);
}
