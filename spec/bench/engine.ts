/**
 * @file The engine's own cost beside bare RxJS, what a frame allocates, the backend's kernels, and what compilation gives on named graphs.
 *
 * Options: `--turns N` (default 9), `--time MS` a turn (default 60), `--json FILE` (default: JSON goes to standard output,
 * the table to standard error).
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compileTimes } from './compile.js';
import { onDemand, pushed } from './demand.js';
import { interleaved, type Measured } from './interleaved.js';
import { passesReport } from './passes/report.js';
import { kernels, tenMaps, tiny } from './workloads.js';

const { values } = parseArgs({
  options: { turns: { type: 'string', default: '9' }, time: { type: 'string', default: '60' }, json: { type: 'string' } },
});

const tell = (done: number, total: number): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2Kmeasuring ${done}/${total}${done === total ? '\r\x1b[2K' : ''}`);
};
const print = (line: string): void => void process.stderr.write(`${line}\n`);

const measured = await interleaved(
  [
    tenMaps(1000),
    tiny('tiny graph, 10 nodes, level standard', {}),
    tiny('tiny graph, outputs borrowed', { outputs: 'borrow' }),
    tiny('tiny graph, level none', { level: 'none' }),
    pushed(1000),
    onDemand(1000),
    ...kernels(),
  ],
  Number(values.turns),
  Number(values.time),
  tell,
);
const memory = JSON.parse(
  execFileSync(
    process.execPath,
    [
      '--expose-gc',
      '--max-semi-space-size=512',
      ...process.execArgv.filter((arg) => !arg.includes('expose')),
      fileURLToPath(new URL('./memory.ts', import.meta.url)),
    ],
    { encoding: 'utf8' },
  ),
) as Record<'copy' | 'borrow', { readonly bytesPerFrame: number; readonly growth: number }>;

const compiled = await compileTimes();
const { bars: promised, ...passes } = await passesReport(Number(values.turns), print);

const [maps, standard] = measured as [Measured, Measured, ...Measured[]];
const ratio = standard.perSecond / maps.perSecond;
const nanosecondsOf = (part: string): number => measured.find(({ name }) => name.includes(part))!.nanoseconds;
const demand = nanosecondsOf('on demand') / nanosecondsOf('pushed');
const bars = [
  { bar: 'tiny graph at ≥ 1/6 of a bare RxJS chain of ten maps', value: ratio, passes: ratio >= 1 / 6 },
  {
    bar: 'a frame allocates ≤ its outputs (64 bytes) and 1 KiB',
    value: memory.copy.bytesPerFrame,
    passes: memory.copy.bytesPerFrame <= 64 + 1024,
  },
  { bar: 'the heap is flat over 1e6 frames (≤ 256 KiB)', value: memory.copy.growth, passes: memory.copy.growth <= 256 * 1024 },
  { bar: 'a tiny graph on demand costs at most twice what it costs when pushed', value: demand, passes: demand <= 2 },
  { bar: 'a kernel of wasm compiles within 2 ms in the median', value: compiled.median, passes: compiled.median <= 2 },
  ...promised,
];

const width = Math.max(...measured.map(({ name }) => name.length));
print(`\n${'workload'.padEnd(width)}  ${'ns'.padStart(12)}  ${'per second'.padStart(12)}  of ten maps`);
for (const { name, nanoseconds, perSecond } of measured) {
  print(
    `${name.padEnd(width)}  ${nanoseconds.toFixed(0).padStart(12)}  ${Math.round(perSecond).toLocaleString('en').padStart(12)}  ${(perSecond / maps.perSecond).toFixed(4)}`,
  );
}
print('\nbytes a frame  growth over 1e6 frames');
for (const [outputs, { bytesPerFrame, growth }] of Object.entries(memory))
  print(`${bytesPerFrame.toFixed(0).padStart(13)}  ${growth.toFixed(0).padStart(12)}  outputs: ${outputs}`);
print(
  `\n${compiled.kernels} kernels of wasm: compiled in ${compiled.median.toFixed(2)} ms in the median, ${compiled.most.toFixed(1)} at most; their first run takes ${compiled.firstRun.toFixed(2)}`,
);
print('');
for (const { bar, value, passes } of bars) print(`${passes ? 'holds' : 'FAILS'}  ${bar}: ${value.toFixed(3)}`);

const json = JSON.stringify({ node: process.version, measured, memory, compiled, passes, bars }, null, 2);
if (values.json === undefined) console.log(json);
else writeFileSync(values.json, `${json}\n`);
if (bars.some(({ passes }) => !passes)) process.exitCode = 1;
