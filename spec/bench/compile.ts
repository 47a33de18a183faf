/**
 * @file What a kernel costs before it runs for the second time: making its module, and the engine's first, unoptimised pass over it.
 *
 * Every kernel of every op's examples in each dtype, and those of a network and of attention. Each structure counts once, as
 * engines remember modules of the same bytes. Processor time, as other processes take turns.
 */
import {
  einsum,
  evaluateSync,
  graph,
  input,
  layerNorm,
  mul,
  param,
  relu,
  softmax,
  add,
  wasm,
  type Backend,
  type Kernel,
} from '../../src/index.js';
import { allOps } from '../../src/ops/registry.js';
import { COMPUTED_DTYPES } from '../../src/tensor/dtype.js';
import { exampleCases, filled, type OpCase } from '../../src/testing/conformance/cases.js';

export interface CompileTimes {
  readonly kernels: number;
  /** Milliseconds. */
  readonly median: number;
  readonly most: number;
  /** Of the first run, on a handful of elements: what is compiled only when it is called. */
  readonly firstRun: number;
}

const value = (i: number): number => ((i * 7) % 11) / 11 - 0.4;
const matrix = (rows: number, columns: number) => filled([rows, columns], 'float32', value);

const WHOLE: readonly OpCase[] = [
  {
    graph: graph(
      { x: input([64, 96]), v: param(matrix(96, 80)), w: param(matrix(80, 10)), b: param(filled([80], 'float32', value)) },
      ({ x, v, w, b }) => ({ y: softmax(einsum('nh,ho->no', relu(add(einsum('ni,ih->nh', x, v), b)), w)) }),
    ),
    feeds: { x: matrix(64, 96) },
  },
  {
    graph: graph({ q: input([60, 32]), k: input([90, 32]) }, ({ q, k }) => ({
      y: layerNorm(einsum('qk,kd->qd', softmax(mul(einsum('qd,kd->qk', q, k), 0.2)), k), { axes: [1] }),
    })),
    feeds: { q: matrix(60, 32), k: matrix(90, 32) },
  },
];

/** Milliseconds that the processor worked for `act`. */
function worked(act: () => void): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1];

export async function compileTimes(): Promise<CompileTimes> {
  const inner = await wasm();
  const [made, ran]: [number[], number[]] = [[], []];
  let modules = 0;
  const { Module } = WebAssembly;
  const backend: Backend = {
    ...inner,
    compile(ir) {
      const before = modules;
      let kernel!: Kernel;
      const time = worked(() => (kernel = inner.compile(ir)));
      let isFirst = modules > before;
      if (isFirst) made.push(time);
      return {
        dispose: () => kernel.dispose(),
        run(inputs, outputs) {
          if (!isFirst) return kernel.run(inputs, outputs);
          isFirst = false;
          ran.push(worked(() => void kernel.run(inputs, outputs)));
        },
      };
    },
  };
  WebAssembly.Module = class extends Module {
    constructor(bytes: BufferSource) {
      super(bytes);
      modules++;
    }
  };
  try {
    const examples = COMPUTED_DTYPES.flatMap((dtype) => allOps().flatMap((op) => exampleCases(op, dtype)));
    for (const { graph: each, feeds } of [...WHOLE, ...examples]) evaluateSync(each, feeds, { backend, fallback: 'never' });
  } finally {
    WebAssembly.Module = Module;
    await inner.close();
  }
  return { kernels: made.length, median: median(made), most: made.at(-1)!, firstRun: median(ran) };
}
