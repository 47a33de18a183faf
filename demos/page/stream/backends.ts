/**
 * @file The backends that a visitor may choose. einstream/gpu, and gpu.js behind it, is loaded when it is first chosen.
 */
import { Observable } from 'rxjs';
import { environment, js, wasm, type Backend } from '../../../src/index.js';
import type { GpuStatistics } from '../../../src/gpu.js';
import type { Choice } from '../ui/dom.js';
import type { Opened } from './relay.js';

/** What this page holds on GPUs: of all backends that it made, the closed ones too. */
export type OnGpu = Pick<GpuStatistics, 'handles' | 'handleBytes' | 'launches' | 'readbacks' | 'kernels'>;

export interface Backends {
  readonly choices: readonly Choice[];
  /** Emits the backend when it is ready. Whoever takes it closes it; one that nobody waits for any more is closed here. */
  readonly open: (value: string) => Observable<Opened>;
  /** Undefined until a GPU was chosen. */
  readonly onGpu: () => OnGpu | undefined;
  /** Resolves when all that were to be closed are. */
  readonly closed: () => Promise<void>;
}

/** Threads of the backend with threads: all cores, up to four. */
const THREADS = Math.max(2, Math.min(4, navigator.hardwareConcurrency));

interface Candidate {
  readonly value: string;
  readonly label: string;
  readonly obstacle: () => string | undefined | Promise<string | undefined>;
  readonly make: (counted: (tell: () => GpuStatistics) => void) => Promise<Backend>;
}

const onGpu =
  (mode: 'webgl2' | 'webgpu'): Candidate['make'] =>
  async (counted) => {
    const { gpu, gpuStatistics } = await import('../../../src/gpu.js');
    const backend = await gpu({ mode });
    counted(() => gpuStatistics(backend));
    return backend;
  };

const CANDIDATES: readonly Candidate[] = [
  { value: 'js', label: 'JavaScript', obstacle: () => undefined, make: () => Promise.resolve(js()) },
  {
    value: 'wasm',
    label: 'WebAssembly',
    obstacle: () => (environment().simd ? undefined : 'There is no WebAssembly SIMD here'),
    make: () => wasm(),
  },
  {
    value: 'threads',
    label: `Wasm × ${THREADS}`,
    obstacle: () => (environment().sharedMemory ? undefined : 'Threads need a page that is cross-origin isolated'),
    make: () => wasm({ threads: THREADS }),
  },
  { value: 'webgl2', label: 'WebGL2', obstacle: withoutWebGl2, make: onGpu('webgl2') },
  { value: 'webgpu', label: 'WebGPU', obstacle: withoutWebGpu, make: onGpu('webgpu') },
];

function withoutWebGl2(): string | undefined {
  const context = new OffscreenCanvas(1, 1).getContext('webgl2');
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return context === null ? 'This browser has no WebGL2' : undefined;
}

async function withoutWebGpu(): Promise<string | undefined> {
  const { gpu } = navigator as { readonly gpu?: { readonly requestAdapter: () => Promise<unknown> } };
  const adapter = await gpu?.requestAdapter();
  return adapter === null || adapter === undefined ? 'This browser has no WebGPU adapter' : undefined;
}

/** Looks at what this browser has. */
export async function findBackends(): Promise<Backends> {
  const gpus: (() => GpuStatistics)[] = [];
  const closing: Promise<void>[] = [];
  const choices = await Promise.all(
    CANDIDATES.map(async ({ value, label, obstacle }) => ({ value, label, obstacle: await obstacle() })),
  );
  const close = (backend: Backend): void => void closing.push(backend.close());
  return {
    choices,
    open: (value) =>
      new Observable((subscriber) => {
        const { make, label } = CANDIDATES.find((candidate) => candidate.value === value)!;
        make((tell) => gpus.push(tell)).then(
          (backend) => {
            if (subscriber.closed) return close(backend);
            subscriber.next({ name: label, backend, close: () => close(backend) });
            subscriber.complete();
          },
          (error: unknown) => subscriber.error(error),
        );
      }),
    onGpu: () =>
      gpus.length === 0
        ? undefined
        : gpus
            .map((tell): OnGpu => tell())
            .reduce((sum, { handles, handleBytes, launches, readbacks, kernels }) => ({
              handles: sum.handles + handles,
              handleBytes: sum.handleBytes + handleBytes,
              launches: sum.launches + launches,
              readbacks: sum.readbacks + readbacks,
              kernels: sum.kernels + kernels,
            })),
    closed: async () => void (await Promise.all(closing)),
  };
}
