/**
 * @file What costs say that compiling gains, beside what a clock says.
 */
import {
  compile,
  graph,
  input,
  measureSpeedup,
  mul,
  sqrt,
  square,
  sub,
  mean,
  add,
  div,
  einsum,
  wasm,
} from '../../../src/index.js';
import { matrix, perceptron, type Subject } from './graphs.js';

export interface Speedup {
  readonly subject: string;
  readonly estimated: number;
  readonly measured: number;
}

const row = { axis: -1, keepdims: true };
const SUBJECTS: readonly (() => Subject)[] = [
  () => ({
    name: 'join in two steps, n = 128',
    graph: graph({ x: input([128, 128]), y: input([128, 128]) }, ({ x, y }) => ({
      z: einsum('acb->ab', einsum('ac,cb->acb', x, y)),
    })),
    feeds: { x: matrix(128, 128, 1), y: matrix(128, 128, 2) },
  }),
  () => ({
    name: 'normalised rows [512, 512]',
    graph: graph({ x: input([512, 512]) }, ({ x }) => {
      const centred = sub(x, mean(x, row));
      return { y: mul(div(centred, sqrt(add(mean(square(centred), row), 1e-5))), 2) };
    }),
    feeds: { x: matrix(512, 512, 1) },
  }),
  () => perceptron(64),
];

/** On `wasm`, at `aggressive`. */
export async function speedups(runs: number): Promise<readonly Speedup[]> {
  const backend = await wasm();
  const found: Speedup[] = [];
  for (const make of SUBJECTS) {
    const { name, graph: subject, feeds } = make();
    const shapes = Object.fromEntries(Object.entries(feeds).map(([key, { shape }]) => [key, shape]));
    const compiled = compile(subject, { level: 'aggressive', backend, shapes });
    // Feeds lie where kernels read them, as those of a stream may.
    const lying = Object.fromEntries(Object.entries(feeds).map(([key, feed]) => [key, backend.upload(feed)]));
    const { speedup } = await measureSpeedup(compiled, lying, { runs, backend });
    found.push({ subject: name, estimated: compiled.statistics.estimatedSpeedup!, measured: speedup });
  }
  await backend.close();
  return found;
}
