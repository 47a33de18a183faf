/**
 * @file What fusion gives: graphs written out op by op, at `none` one kernel a node, at a level all in one.
 *
 * Outputs are borrowed, so that copies of results, which every level makes, are not part of it. Results are checked against `js`.
 */
import { Subject } from 'rxjs';
import { abs, add, div, evaluateSync, exp, graph, input, js, max, mean, mul, neg, relu, reshape, run, softmax, sqrt, square, sub, sum, tensor, transpose, wasm } from '../../../src/index.js'; // prettier-ignore
import type { Backend, Graph, GraphSymbol, Level, Tensor } from '../../../src/index.js';
import { counting } from '../../support/countingBackend.js';
import { numbers } from '../numbers.js';

/** One graph at `none` and at a level, turn by turn. */
export interface Fusion {
  readonly name: string;
  readonly level: Level;
  /** Kernels of a frame. */
  readonly kernels: { readonly none: number; readonly fused: number };
  /** Least of the turns, in milliseconds of processor time. */
  readonly milliseconds: { readonly none: number; readonly fused: number };
  readonly ratio: number;
}

const row = { axis: -1, keepdims: true };
const MILLION = [2 ** 20];
const ROWS = [4096, 1024];
const SQUARE = [1024, 1024];

const CASES: Readonly<Record<string, () => Graph>> = {
  'chain of 8, 1M': () => graph({ x: input(MILLION) }, ({ x }) => ({ y: abs(sub(mul(relu(add(mul(neg(square(x)), 0.5), 1)), 2), 0.25)) })), // prettier-ignore
  'chain of 8 with 3 operands, 1M': () => graph({ x: input(MILLION), a: input(MILLION), b: input(MILLION) }, ({ x, a, b }) => ({ y: relu(sub(add(mul(relu(add(mul(x, a), b)), a), x), mul(b, 0.5))) })), // prettier-ignore
  'layer norm written out [4096, 1024]': () =>
    graph({ x: input(ROWS), w: input([1024]), b: input([1024]) }, ({ x, w, b }) => {
      const centred = sub(x, mean(x, row));
      return { y: add(mul(div(centred, sqrt(add(mean(square(centred), row), 1e-5))), w), b) };
    }),
  'softmax written out [4096, 1024]': () => graph({ x: input(ROWS) }, ({ x }) => ({ y: softmaxOf(x) })),
  'variance written out [4096, 1024]': () => graph({ x: input(ROWS) }, ({ x }) => ({ y: mean(square(sub(x, mean(x, row))), { axis: -1 }) })), // prettier-ignore
  'mean absolute error [4096, 1024]': () => graph({ x: input(ROWS), t: input(ROWS) }, ({ x, t }) => ({ y: mean(abs(sub(x, t))) })), // prettier-ignore
  'transposes that meet [1024, 1024]': () => graph({ a: input(SQUARE), b: input(SQUARE) }, ({ a, b }) => ({ y: transpose(relu(add(transpose(a), transpose(b)))) })), // prettier-ignore
  'softmax of a transpose [1024, 1024]': () => graph({ a: input(SQUARE) }, ({ a }) => ({ y: transpose(softmax(transpose(a), { axis: 0 })) })), // prettier-ignore
};

function softmaxOf(x: GraphSymbol): GraphSymbol {
  const e = exp(sub(x, max(x, row)));
  return div(e, sum(e, row));
}

/** Feeds for a graph's inputs, in a backend's memory. */
function feedsOf(g: Graph, backend: Backend): Readonly<Record<string, Tensor>> {
  const named = g.inputs.map(
    (id) => g.chunks[id >>> 10][id & 1023] as { readonly name: string; readonly dims: readonly number[] },
  );
  return Object.fromEntries(
    named.map(({ name, dims }, k) => {
      const count = dims.reduce((product, size) => product * size, 1);
      return [name, backend.upload(reshape(tensor(numbers(count, k + 1, 1)), { shape: dims }))];
    }),
  );
}

function far(got: Tensor, want: Tensor): number {
  const [a, b] = [got.data, want.data] as [Float32Array, Float32Array];
  let worst = 0;
  for (let i = 0; i < b.length; i++) worst = Math.max(worst, Math.abs(a[i] - b[i]));
  return worst;
}

/** Measures every case on `wasm`. Throws where a result is wrong. */
export async function fusions(turns = 12, level: Level = 'standard'): Promise<readonly Fusion[]> {
  const backend = await wasm();
  const measured = Object.entries(CASES).map(([name, make]) => measure(name, make(), backend, turns, level));
  await backend.close();
  return measured;
}

function measure(name: string, g: Graph, backend: Backend, turns: number, level: Level): Fusion {
  const feeds = feedsOf(g, backend);
  const want = evaluateSync(g, feeds, { backend: js(), level: 'none' })['y'];
  const sides = (['none', level] as const).map((each) => {
    const counted = counting(backend);
    const feeds$ = new Subject<typeof feeds>();
    let [worst, isChecked] = [NaN, false];
    feeds$.pipe(run(g, { backend: counted.backend, level: each, outputs: 'borrow' })).subscribe(({ y }) => {
      if (!isChecked) worst = far(y, want);
      isChecked = true;
    });
    feeds$.next(feeds);
    if (!(worst <= 1e-5)) throw new Error(`${name} at ${each}: results are wrong by ${worst}`);
    return { feeds$, kernels: counted.runs(), times: [] as number[] };
  });
  for (let turn = 0; turn < turns + 3; turn++)
    for (const { feeds$, times } of sides) {
      const before = process.cpuUsage();
      feeds$.next(feeds);
      const { user, system } = process.cpuUsage(before);
      if (turn >= 3) times.push((user + system) / 1000);
    }
  const [none, fused] = sides.map(({ times }) => Math.min(...times));
  return {
    name,
    level,
    kernels: { none: sides[0].kernels, fused: sides[1].kernels },
    milliseconds: { none, fused },
    ratio: none / fused,
  };
}

/** As lines of a table. */
export const printFusions = (all: readonly Fusion[]): readonly string[] =>
  all.map(
    ({ name, level, kernels, milliseconds: { none, fused }, ratio }) =>
      `${name.padEnd(38)} ${kernels.none} kernels ${none.toFixed(2)} ms at none, ${kernels.fused} in ${fused.toFixed(2)} ms at ${level}: ${ratio.toFixed(2)}×`,
  );
