/**
 * @file Who takes part: the engine in its configurations, its peers, and the native marks.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { EinstreamSettings } from './hosts/einstream.js';

export interface Contender {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Choices {
  /** The Node that runs all of them. */
  readonly node: string;
  /** The program that hosts an engine in Node. */
  readonly host: string;
  /** The folder of the built engine. */
  readonly engine: string;
  readonly threads: 1 | 2;
  /** Where the engine's CPU profiles go, if anywhere. */
  readonly profile: string | undefined;
}

/** One thread, whatever its BLAS would take. */
const ONE_THREAD = { OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1', MKL_NUM_THREADS: '1', BLIS_NUM_THREADS: '1' };

/**
 * OpenBLAS 0.3.21 takes kernels of 2004 on processors that are newer than itself: name those for 256-bit vectors, which the bar
 * was set against. Whoever sets `OPENBLAS_CORETYPE` chooses.
 */
function blasKernels(): Readonly<Record<string, string>> {
  const hasAvx2 = existsSync('/proc/cpuinfo') && /\bavx2\b/.test(readFileSync('/proc/cpuinfo', 'utf8'));
  return hasAvx2 ? { OPENBLAS_CORETYPE: process.env['OPENBLAS_CORETYPE'] ?? 'Haswell' } : {};
}

export function contenders({ node, host, engine, threads, profile }: Choices): readonly Contender[] {
  const inNode = (name: string, kind: string, settings: object, flags: readonly string[] = []): Contender => ({
    name,
    command: node,
    args: ['--expose-gc', ...flags, host, kind, JSON.stringify(settings)],
    env: { NODE_OPTIONS: '' },
  });
  const own = (name: string, settings: Omit<EinstreamSettings, 'engine'>, flags?: readonly string[]): Contender =>
    inNode(name, 'einstream', { engine, ...settings }, flags);
  const profiled = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  return [
    own('einstream', { wasm: {}, outputs: 'borrow' }, profiled),
    ...(threads === 2 ? [own('einstream-threads', { wasm: { threads: 2 }, outputs: 'borrow' })] : []),
    own('einstream-copying', { wasm: {}, outputs: 'copy' }),
    inNode('tfjs-wasm', 'tfjs', {}),
    inNode('jax-js', 'jax', {}),
    inNode('ort-web', 'onnxruntime', { kind: 'web' }),
    inNode('ort-node', 'onnxruntime', { kind: 'node' }),
    {
      name: 'numpy',
      command: python(),
      args: [fileURLToPath(new URL('./hosts/numpy_host.py', import.meta.url))],
      env: { ...ONE_THREAD, ...blasKernels() },
    },
  ];
}

/** A Python that has NumPy: the system's own first, as Debian's package is for it. */
function python(): string {
  const candidates = [process.env['PYTHON'], '/usr/bin/python3', 'python3'].filter((each) => each !== undefined);
  return candidates.find((each) => spawnSync(each, ['-c', 'import numpy']).status === 0) ?? 'python3';
}
