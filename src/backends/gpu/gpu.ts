/**
 * @file The `gpu` backend: kernels are sources for gpu.js, which compiles them for one of its modes.
 */
import { fault } from '../../errors/index.js';
import { allOps } from '../../ops/registry.js';
import { COMPUTED_DTYPES } from '../../tensor/dtype.js';
import { MAX_ELEMENTS, MAX_RANK } from '../../tensor/shape.js';
import { allocateTensor, type Tensor } from '../../tensor/tensor.js';
import { MOST_ARRAYS } from '../../codegen/render/gpu/limits.js';
import type { Backend } from '../backend.js';
import { loadLibrary, type Library } from './library.js';
import { readOptions, type GpuMode, type GpuOptions } from './options.js';
import { programs, type Programs } from './programs.js';
import { synchronousKernel } from './synchronous.js';

export type { GpuMode, GpuOptions } from './options.js';

/**
 * A backend whose kernels gpu.js compiles.
 *
 * It computes in float32: what needs float64, or integers that may leave ±2^24, runs on `js`, and diagnostics say so. The modes
 * `'cpu'` and `'webasm'` run in every engine, synchronously; they are for tests of what the other modes will do.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: relu(x) }));
 * gpu({ mode: 'webasm' }).then((backend) => evaluateSync(g, { x: [-1, 2] }, { backend }).y.toArray()) // => [0, 2]
 * ```
 *
 * @returns a promise that rejects with an EinstreamError: E_BACKEND where gpu.js or the mode is missing, E_ARGUMENT for options
 *   outside their range
 */
export async function gpu(options: GpuOptions = {}): Promise<Backend> {
  const { mode, cacheSize } = readOptions(options);
  const { GPU } = await loadLibrary();
  let library: Library;
  try {
    library = new GPU({ mode });
  } catch (cause) {
    throw fault('E_BACKEND', {
      place: 'gpu',
      rule: `the mode ${mode} must be available`,
      actual: cause instanceof Error ? cause.message : String(cause),
      hint: "use another mode, or wasm()",
      cause,
    });
  }
  return synchronousBackend(library, mode, programs(library, mode, cacheSize));
}

function synchronousBackend(library: Library, mode: GpuMode, compiled: Programs): Backend {
  let open: Programs | undefined = compiled;
  return Object.freeze<Backend>({
    name: 'gpu',
    capabilities: Object.freeze({
      name: 'gpu',
      version: '1',
      devices: [{ type: 'CPU', index: 0 }] as const,
      dtypes: COMPUTED_DTYPES,
      excludes: allOps().map(({ name }) => ({ op: name, dtypes: ['float64'] as const })),
      features: ['CodeGeneration'] as const,
      maxDims: MAX_RANK,
      maxTensorBytes: MAX_ELEMENTS * Float64Array.BYTES_PER_ELEMENT,
      maxFusedNodes: 64,
      partialSums: 'float32',
      asynchronous: false,
      remarks: [
        `gpu.js computes in its mode ${mode}`,
        'kernels compute in float32',
        `a kernel reads at most ${MOST_ARRAYS} arrays`,
      ],
    }),
    compile(ir) {
      if (open === undefined)
        throw fault('E_BACKEND', { place: 'gpu', rule: 'a backend must not be used after it was closed', hint: 'make another one' });
      return synchronousKernel(open, ir);
    },
    allocate: allocateTensor,
    upload: (tensor: Tensor) => tensor,
    close() {
      open?.close();
      open = undefined;
      library.destroy();
      return Promise.resolve();
    },
  });
}
