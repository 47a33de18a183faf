/**
 * @file Figures of the gpu backend by mode, wherever its modes run: a process or a page. All modes take turns with one another.
 */
import { wasm } from '../../../src/index.js';
import { openMode } from '../../../src/backends/gpu/availability.js';
import { backendOver } from '../../../src/backends/gpu/gpu.js';
import { loadLibrary } from '../../../src/backends/gpu/library.js';
import type { GpuMode } from '../../../src/gpu.js';
import { PLAIN_FORM } from '../../../src/codegen/render/gpu/form.js';
import { jobsOf, productBy } from './jobs.js';
import { takingTurns, type Times } from './turns.js';

export interface Figures {
  /** By job, whose name begins with its mode; milliseconds. */
  readonly times: readonly (readonly [name: string, times: Times])[];
  readonly missing: readonly (readonly [mode: string, reason: string])[];
}

const LIMITS = { cacheSize: 256, readTimeout: 120_000 };

export async function measure(modes: readonly GpuMode[], turns: number): Promise<Figures> {
  const library = await loadLibrary();
  const missing: [string, string][] = [];
  const open = async (mode: GpuMode) => {
    try {
      const backend = backendOver(await openMode(library, mode), mode, LIMITS);
      const naive = backendOver(await openMode(library, mode), mode, { ...LIMITS, form: PLAIN_FORM });
      return { mode, backend, naive };
    } catch (error) {
      missing.push([mode, error instanceof Error ? error.message : String(error)]);
      return undefined;
    }
  };
  const opened = (await Promise.all(modes.map(open))).filter((each) => each !== undefined);
  const own = await wasm();
  const jobs = opened.flatMap(({ mode, backend, naive }) => jobsOf(mode, backend, naive));
  const times = await takingTurns([...jobs, productBy('wasm product', own)], turns);
  await Promise.all([own, ...opened.flatMap(({ backend, naive }) => [backend, naive])].map((backend) => backend.close()));
  return { times: [...times], missing };
}
