/**
 * @file Reductions of one operand in one kernel, against one after another: sum, largest and mean of squares.
 *
 * The two take turns, so that a busy machine slows both.
 */
import { fileURLToPath } from 'node:url';
import { evaluateSync, graph, input, js, max, mean, square, sum, tensor, wasm, type Backend } from '../../../src/index.js';
import type { Graph } from '../../../src/graph/graph.js';
import { applyPasses, eliminateDeadNodes, fuseFolds, fuseSiblings, type Pass } from '../../../src/passes/index.js';

export interface SiblingTimes {
  readonly backend: string;
  readonly dims: readonly number[];
  /** Milliseconds of one evaluation, the median of the turns. */
  readonly apart: number;
  readonly joined: number;
  readonly ratio: number;
}

const median = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1];

/** Times the three reductions of the last axis. */
export function siblingTimes(backend: Backend, dims: readonly number[], turns = 15): SiblingTimes {
  const over = { axis: -1 };
  const given = graph({ x: input(dims) }, ({ x }) => ({
    s: sum(x, over),
    m: max(x, over),
    q: mean(square(x), over),
  })) as Graph;
  const after = (passes: readonly Pass[]): Graph =>
    applyPasses(given, passes, { keep: [], maxFusedNodes: 64, maxResults: 8 }).graph;
  const graphs = [after([eliminateDeadNodes, fuseFolds]), after([eliminateDeadNodes, fuseFolds, fuseSiblings])];
  const count = dims.reduce((product, size) => product * size, 1);
  const x = backend.upload(
    tensor(
      Float32Array.from({ length: count }, (_, i) => ((i * 7) % 11) / 11 - 0.4),
      { shape: dims },
    ),
  );
  const evaluate = (g: Graph): unknown => evaluateSync(g, { x }, { level: 'none', backend });
  const repeats = Math.max(1, Math.round(1e6 / count));
  for (const g of graphs) for (let k = 0; k < 3 * repeats; k++) evaluate(g);
  const times: number[][] = [[], []];
  for (let turn = 0; turn < turns; turn++)
    graphs.forEach((g, at) => {
      const start = performance.now();
      for (let k = 0; k < repeats; k++) evaluate(g);
      times[at].push((performance.now() - start) / repeats);
    });
  const [apart, joined] = times.map(median);
  return { backend: backend.name, dims, apart, joined, ratio: apart / joined };
}

/** The times in one line. */
export const siblingLine = ({ backend, dims, apart, joined, ratio }: SiblingTimes): string =>
  `sum, max and mean of squares of [${dims.join()}] on ${backend}: ${apart.toFixed(4)} ms apart, ${joined.toFixed(4)} ms joined, ${ratio.toFixed(2)} times`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sizes = [
    [256],
    [1024],
    [4096],
    [64, 64],
    [64, 1024],
    [65536],
    [4096, 64],
    [4096, 256],
    [1024, 1024],
    [16, 65536],
    [1048576],
    [16777216],
  ];
  for (const backend of [js(), await wasm({ memoryLimit: 2 ** 29 })])
    for (const dims of sizes) console.log(siblingLine(siblingTimes(backend, dims)));
}
