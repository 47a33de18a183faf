/**
 * @file One engine in a process of its own: `node main.mjs <host> <settings>`. Requests come on standard input, answers go to file 3.
 */
import { readFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { hasRelaxedSimd } from '../../../../src/backends/wasm/probe.js';
import { expectedFile, inputFile, type Answers, type Failed, type Ready, type Request } from '../protocol.js';
import { einstream, type EinstreamSettings } from './einstream.js';
import type { Host, Job } from './host.js';
import { jax } from './jax.js';
import { onnxruntime } from './onnxruntime.js';
import { tfjs } from './tfjs.js';

const hosts: Readonly<Record<string, (settings: unknown) => Promise<Host>>> = {
  einstream: (settings) => einstream(settings as EinstreamSettings),
  tfjs,
  jax,
  onnxruntime: (settings) => onnxruntime(settings as { kind: 'web' | 'node' }),
};

const say = (answer: Answers[keyof Answers] | Failed | Ready): void => void writeSync(3, `${JSON.stringify(answer)}\n`);

const numbersIn = (file: string): Float32Array => {
  const { buffer, byteOffset, byteLength } = readFileSync(file);
  return new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength));
};

let job: Job | undefined;
let expected: ArrayLike<number> = [];

const current = (): Job => {
  if (job === undefined) throw new Error('nothing is set up');
  return job;
};

/** Largest distance of an element from the right one; infinite where one is no number, or elements are missing. */
async function distance(): Promise<number> {
  const values = await current().values();
  if (values.length !== expected.length) return Infinity;
  let largest = 0;
  for (let i = 0; i < values.length; i++) {
    const between = Math.abs(values[i] - expected[i]);
    if (!(between <= largest)) largest = Number.isNaN(between) ? Infinity : between;
  }
  return largest;
}

async function answer(host: Host, request: Request): Promise<Answers[keyof Answers]> {
  if (request.do === 'setup') {
    const { id, shapes, folder } = request;
    const make = host.job(id);
    if (make === undefined) return { unsupported: true };
    const inputs = Object.fromEntries(Object.keys(shapes).map((name) => [name, numbersIn(inputFile(folder, id, name))]));
    expected = numbersIn(expectedFile(folder, id));
    job = await make(inputs, shapes);
    await job.run();
    return { distance: await distance() };
  }
  if (request.do === 'check') return { distance: await distance() };
  if (request.do === 'run') return run(current(), request.times);
  await job?.free();
  job = undefined;
  globalThis.gc?.();
  return {};
}

async function run(job: Job, times: number): Promise<Answers['run']> {
  const before = process.cpuUsage();
  const start = performance.now();
  for (let i = 0; i < times; i++) {
    const pending = job.run();
    if (pending !== undefined) await pending;
  }
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { wall, cpu: (user + system) / 1000 };
}

const told = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { stack = String(error), cause } = error;
  return (cause === undefined ? stack : `${stack}\nbecause: ${told(cause)}`).slice(0, 1000);
};

const [, , name, settings] = process.argv;
const host = await hosts[name](JSON.parse(settings));
say({ about: host.about, version: process.version, relaxed: hasRelaxedSimd() });
for await (const line of createInterface({ input: process.stdin })) {
  try {
    say(await answer(host, JSON.parse(line) as Request));
  } catch (error: unknown) {
    say({ failed: told(error) });
  }
}
// Engines keep threads that would keep the process.
process.exit(0);
