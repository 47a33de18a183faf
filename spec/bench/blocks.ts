/**
 * @file Which register block an engine rewards: matrix products of several sizes on every block shape, interleaved.
 *
 * `npm run bench -- --sweep --blocks 4x2x1,6x2x4 [--sizes 64,384] [--seconds 2]`: rows × vectors × unrolling,
 * with relaxed SIMD where the engine has it and without. Every result is checked before it is timed,
 * by the processor's time, which other processes disturb least.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { renderContractionWasm } from '../../src/codegen/render/wasm/contraction/index.js';
import { exactly, noise, sumOfProducts, tensorOf } from '../support/products.js';
import { HAS_RELAXED, instantiate, PLAIN } from '../support/runWasm.js';

const { values } = parseArgs({
  options: {
    sweep: { type: 'boolean' },
    sizes: { type: 'string', default: '64,256,512,1024' },
    blocks: { type: 'string', default: '4x2x1,3x3x1,6x2x1,6x2x4,5x2x4,3x3x4' },
    seconds: { type: 'string', default: '2' },
  },
});

const relaxed = HAS_RELAXED ? [true, false] : [false];
const targets = values.blocks.split(',').flatMap((name) => {
  const [rows, vectors, unroll] = name.split('x').map(Number);
  return relaxed.map((isRelaxed) => ({
    name: `${name} ${isRelaxed ? 'relaxed' : 'plain'}`,
    target: { ...PLAIN, isRelaxed, block: { rows, vectors, unroll } },
  }));
});

/** A kernel on operands that lie in its memory, as a function to call. */
function productOfSize(n: number, target: (typeof targets)[number]['target']) {
  const inputs = [tensorOf([n, n], noise(1)), tensorOf([n, n], noise(2))];
  const { ir } = sumOfProducts('ij,jk->ik', inputs);
  const kernel = renderContractionWasm(ir, target)!;
  const bytes = n * n * 4 + 64;
  const places = [0, 1, 2, 3].map((k) => 64 + k * Math.ceil(bytes / 64) * 64);
  const descriptor = places[3] + kernel.scratch + 64;
  const { memory, run } = instantiate(kernel, descriptor + 4096);
  inputs.forEach(({ buffer }, k) => new Float32Array(memory.buffer, places[k], n * n).set(buffer.array as Float32Array));
  new Int32Array(memory.buffer, descriptor).set([...places, ...kernel.words]);
  run(descriptor);
  const got = new Float32Array(memory.buffer, places[2], n);
  const first = { ...ir, extents: [1, n, n] };
  const want = exactly(first, inputs, [n]);
  for (let i = 0; i < n; i++)
    if (!(Math.abs(got[i] - want[i]) < 1e-3)) throw new Error(`element ${i}: ${got[i]}, not ${want[i]}`);
  return () => void run(descriptor);
}

const load = (): string => readFileSync('/proc/loadavg', 'utf8').trim();
console.log(`node ${process.versions.node}, V8 ${process.versions.v8}, load ${load()}`);
for (const n of values.sizes.split(',').map(Number)) {
  const flop = 2 * n ** 3;
  const turns = Math.max(1, Math.round(6e7 / flop));
  const runs = targets.map(({ name, target }) => ({ name, run: productOfSize(n, target), times: [] as number[] }));
  for (const { run } of runs) for (let i = 0; i < 2 * turns; i++) run();
  const end = performance.now() + Number(values.seconds) * 1000;
  do {
    for (const { run, times } of runs) {
      const start = process.cpuUsage();
      for (let i = 0; i < turns; i++) run();
      const { user, system } = process.cpuUsage(start);
      times.push((user + system) / 1e3 / turns);
    }
  } while (performance.now() < end || runs[0].times.length < 5);
  for (const { name, times } of runs) {
    times.sort((a, b) => a - b);
    const speed = (time: number): string => (flop / time / 1e6).toFixed(1).padStart(6);
    console.log(
      `${String(n).padStart(5)}  ${name.padEnd(14)} best ${speed(times[0])}  median ${speed(times[times.length >> 1])} GFLOP/s`,
    );
  }
}
console.log(`load ${load()}`);
