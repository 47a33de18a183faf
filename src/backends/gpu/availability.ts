/**
 * @file Whether a mode of gpu.js runs here: a mode that was named is there, or an error says that it is not.
 */
import { fault } from '../../errors/index.js';
import type { Library, LibraryModule } from './library.js';
import type { GpuMode } from './options.js';

interface Gpu {
  readonly requestAdapter: () => Promise<unknown>;
}

/** What makes instances of gpu.js in that mode. @throws EinstreamError E_BACKEND naming the mode, and what it misses */
export async function openMode({ GPU }: LibraryModule, mode: GpuMode): Promise<() => Library> {
  if (mode === 'webgpu') await requireAdapter();
  const make = (): Library => new GPU({ mode });
  try {
    // The first is the one that tells whether there is any.
    let first: Library | undefined = make();
    return () => {
      const library = first ?? make();
      first = undefined;
      return library;
    };
  } catch (cause) {
    throw missing(mode, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

async function requireAdapter(): Promise<void> {
  const { navigator } = globalThis as { readonly navigator?: { readonly gpu?: Gpu } };
  const api = navigator?.gpu;
  if (api === undefined || api === null) throw missing('webgpu', 'navigator.gpu is not there');
  const adapter = await api.requestAdapter();
  if (adapter === null || adapter === undefined) throw missing('webgpu', 'navigator.gpu has no adapter');
}

const missing = (mode: GpuMode, actual: string, cause?: unknown): Error =>
  fault('E_BACKEND', {
    place: 'gpu',
    rule: `the mode ${mode} must be available`,
    actual,
    hint: 'use another mode, wasm() or js()',
    cause,
  });
