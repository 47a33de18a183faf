/**
 * @file The instance of gpu.js that a backend computes with, and another one after its device was lost.
 *
 * Each device is an epoch: what an earlier one held means nothing any more, so that who began a computation in one epoch asks at
 * its end whether that is still the one.
 */
import { EinstreamError, fault } from '../../errors/index.js';
import { identity } from '../../codegen/render/gpu.js';
import { failure } from './failure.js';
import { loseContext, webGlHealth, webGpuHealth, type Health } from './health.js';
import type { Handle, Library } from './library.js';
import type { GpuMode } from './options.js';

export interface Instance {
  readonly library: () => Library;
  readonly epoch: () => number;
  /** Resolves when the device is there, and is listened to. */
  readonly ready: () => Promise<void>;
  /** @throws EinstreamError where the device of that epoch is gone, as far as that is known. Costs nothing. */
  readonly requireAlive: (epoch: number) => void;
  /** @throws EinstreamError where the device of that epoch is gone, or something that it was told went wrong */
  readonly requireSound: (epoch: number) => void;
  /** What a failure is. Where the device is to blame, all that it held is forgotten, and there will be another one. */
  readonly failed: (cause: unknown, epoch: number) => EinstreamError;
  readonly onLoss: (forget: () => void) => void;
  readonly close: () => Promise<void>;
}

/** @param make makes an instance of gpu.js: at once, and for WebGL once more for each context that is lost */
export function instance(make: () => Library, mode: GpuMode): Instance {
  const listeners: (() => void)[] = [];
  let library = make();
  let epoch = 0;
  let watched: Promise<void> | undefined;
  const healthOfContext = (): Health | undefined =>
    mode === 'webgl2' ? webGlHealth({ context: () => library.context }) : undefined;
  let health = healthOfContext();

  const renew = (): void => {
    epoch++;
    for (const forget of listeners) forget();
    if (mode === 'webgl2') {
      loseContext(library);
      library = make();
    }
    health = healthOfContext();
    watched = undefined;
  };
  /** gpu.js asks for WebGPU's device with the first kernel: here with one that computes nothing. */
  const watch = async (): Promise<void> => {
    const { source, length } = identity(1);
    const kernel = library.createKernel(source, {
      output: [length],
      argumentTypes: { a0: 'Array' },
      pipeline: true,
      loopMaxIterations: 1,
      dynamicArguments: false,
      dynamicOutput: false,
      immutable: true,
      precision: 'single',
    });
    const began = epoch;
    try {
      const result = (await kernel(new Float32Array(length))) as Handle;
      result.delete();
      const { context } = kernel.kernel;
      if (context !== undefined && context !== null && began === epoch) health = webGpuHealth(context);
    } finally {
      kernel.destroy();
    }
  };
  const requireEpoch = (began: number): void => {
    if (began === epoch) return;
    throw fault('E_BACKEND_LOST', {
      place: 'gpu',
      rule: 'the device must stay available',
      actual: 'it was lost while a kernel ran',
      hint: 'feed the frame again',
    });
  };
  return {
    library: () => library,
    epoch: () => epoch,
    ready() {
      if (mode !== 'webgpu') return Promise.resolve();
      return (watched ??= watch().catch((cause: unknown) => {
        watched = undefined;
        throw cause;
      }));
    },
    requireAlive(began) {
      requireEpoch(began);
      const found = health?.fault();
      if (found !== undefined) throw found;
    },
    requireSound(began) {
      requireEpoch(began);
      const found = health?.faultOfAll();
      if (found !== undefined) throw found;
    },
    failed(cause, began) {
      const found = began === epoch ? health?.fault() : undefined;
      const error = found ?? failure(cause);
      // Errors of the engine's own tell of what was lost before.
      const isNews = found !== undefined || (error.code === 'E_BACKEND_LOST' && !(cause instanceof EinstreamError));
      if (isNews && began === epoch) renew();
      return error;
    },
    onLoss: (forget) => void listeners.push(forget),
    async close() {
      await library.destroy();
      if (mode === 'webgl2') loseContext(library);
    },
  };
}
