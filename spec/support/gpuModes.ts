/**
 * @file The modes of the `gpu` backend that there are where a spec runs: a page's, or Node's.
 */
import type { Backend } from '../../src/index.js';
import { gpu, type GpuMode, type GpuOptions } from '../../src/gpu.js';
import { installWebGpu } from './webgpuInNode.js';

/** Only a page has WebGL. */
export const GPU_MODES: readonly GpuMode[] =
  typeof OffscreenCanvas === 'undefined' ? ['cpu', 'webasm', 'webgpu'] : ['webgl2', 'webgpu', 'cpu', 'webasm'];

/** Modes that compute on a device. */
export const DEVICE_MODES: readonly GpuMode[] = GPU_MODES.filter((mode) => mode === 'webgl2' || mode === 'webgpu');

export interface Opened {
  readonly backend: Backend;
  readonly close: () => Promise<void>;
}

/** A backend of that mode; in Node WebGPU is put in place first. Without a driver it is `missing`, and says why. */
export async function openGpu(
  mode: GpuMode,
  options: Omit<GpuOptions, 'mode'> = {},
): Promise<Opened | { readonly missing: string }> {
  const { missing, remove } = mode === 'webgpu' ? await installWebGpu() : { missing: undefined, remove: () => undefined };
  if (missing !== undefined) return { missing };
  const backend = await gpu({ ...options, mode });
  return {
    backend,
    async close() {
      await backend.close();
      remove();
    },
  };
}

/** Describes something in each mode. `backend` gives the backend once tests run; what misses a driver is skipped, and says which. */
export function inGpuModes(
  title: (mode: GpuMode) => string,
  body: (backend: () => Backend, mode: GpuMode) => void,
  modes: readonly GpuMode[] = GPU_MODES,
): void {
  for (const mode of modes)
    describe(title(mode), () => {
      let opened: Opened | undefined;
      before(async function () {
        opened = await openOrSkip(this, mode);
      });
      after(() => opened?.close());
      body(() => opened!.backend, mode);
    });
}

/** For a `before` hook: the backend, or the suite is skipped with the reason printed. */
export async function openOrSkip(context: Mocha.Context, mode: GpuMode, options: Omit<GpuOptions, 'mode'> = {}): Promise<Opened> {
  const opened = await openGpu(mode, options);
  if (!('missing' in opened)) return opened;
  console.log(`        ${mode} skipped: ${opened.missing}`);
  return context.skip();
}
