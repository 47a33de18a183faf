/**
 * @file The `gpu` backend: kernels are sources for gpu.js, which compiles them for one of its modes.
 */
import { fault } from '../../errors/index.js';
import type { KernelIR } from '../../codegen/ir.js';
import { MOST_ARRAYS } from '../../codegen/render/gpu/limits.js';
import { allOps } from '../../ops/registry.js';
import { COMPUTED_DTYPES } from '../../tensor/dtype.js';
import { MAX_ELEMENTS, MAX_RANK } from '../../tensor/shape.js';
import { allocateTensor, type Tensor } from '../../tensor/tensor.js';
import type { Backend, BackendCapabilities, Kernel } from '../backend.js';
import { asynchronousKernel } from './asynchronous.js';
import { openMode } from './availability.js';
import { device, type Device, type GpuStatistics } from './device.js';
import { loadLibrary } from './library.js';
import { readOptions, type GpuMode, type GpuOptions } from './options.js';
import { programs, SYNCHRONOUS, type Programs } from './programs.js';
import { synchronousKernel } from './synchronous.js';

export type { GpuStatistics } from './device.js';
export type { GpuMode, GpuOptions } from './options.js';

/**
 * A backend whose kernels gpu.js compiles.
 *
 * It computes in float32: what needs float64, or integers that may leave ±2^24, runs on `js`, and diagnostics say so. Modes
 * `'webgpu'` and `'webgl2'` compute on a device, asynchronously: values stay there between nodes. The modes `'cpu'` and
 * `'webasm'` run in every engine, synchronously; they are for tests of what the others will do.
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
  const library = await openMode(await loadLibrary(), mode);
  const compiled = programs(library, mode, cacheSize);
  const closed = async (): Promise<void> => {
    compiled.close();
    await library.destroy();
  };
  return SYNCHRONOUS.has(mode) ? onHost(mode, compiled, closed) : onDevice(mode, compiled, closed);
}

const capabilitiesOf = (mode: GpuMode): BackendCapabilities => {
  const isSynchronous = SYNCHRONOUS.has(mode);
  return Object.freeze<BackendCapabilities>({
    name: 'gpu',
    version: '1',
    devices: [{ type: isSynchronous ? 'CPU' : 'GPU', index: 0 }],
    dtypes: COMPUTED_DTYPES,
    excludes: allOps().map(({ name }) => ({ op: name, dtypes: ['float64'] as const })),
    features: isSynchronous ? ['CodeGeneration'] : ['CodeGeneration', 'GPUAcceleration'],
    maxDims: MAX_RANK,
    maxTensorBytes: MAX_ELEMENTS * Float64Array.BYTES_PER_ELEMENT,
    maxFusedNodes: 64,
    partialSums: 'float32',
    asynchronous: !isSynchronous,
    remarks: [
      `gpu.js computes in its mode ${mode}`,
      'kernels compute in float32',
      `a kernel reads at most ${MOST_ARRAYS} arrays`,
      ...(isSynchronous ? [] : ['numbers below 1.2e-38 may become 0']),
    ],
  });
};

/** Throws once the backend is closed. */
function guarded(compile: (ir: KernelIR) => Kernel): { readonly compile: Backend['compile']; readonly shut: () => void } {
  let isOpen = true;
  return {
    compile(ir) {
      if (isOpen) return compile(ir);
      throw fault('E_BACKEND', {
        place: 'gpu',
        rule: 'a backend must not be used after it was closed',
        hint: 'make another one',
      });
    },
    shut: () => void (isOpen = false),
  };
}

function onHost(mode: GpuMode, compiled: Programs, closed: () => Promise<void>): Backend {
  const { compile, shut } = guarded((ir) => synchronousKernel(compiled, ir));
  return Object.freeze<Backend>({
    name: 'gpu',
    capabilities: capabilitiesOf(mode),
    compile,
    allocate: allocateTensor,
    upload: (tensor: Tensor) => tensor,
    close() {
      shut();
      return closed();
    },
  });
}

const devices = new WeakMap<Backend, { readonly own: Device; readonly compiled: Programs }>();

function onDevice(mode: GpuMode, compiled: Programs, closed: () => Promise<void>): Backend {
  const own = device();
  const { compile, shut } = guarded((ir) => asynchronousKernel(compiled, own, ir));
  const backend = Object.freeze<Backend>({
    name: 'gpu',
    capabilities: capabilitiesOf(mode),
    compile,
    allocate: own.allocate,
    upload: own.upload,
    owns: own.owns,
    release: own.release,
    device: own,
    close() {
      shut();
      own.closed();
      return closed();
    },
  });
  devices.set(backend, { own, compiled });
  return backend;
}

/**
 * What a backend that computes on a device holds now, and what it has done since it was made.
 *
 * @throws EinstreamError E_ARGUMENT for a backend that `gpu` did not make for a device
 */
export function gpuStatistics(backend: Backend): GpuStatistics {
  const found = devices.get(backend);
  if (found === undefined)
    throw fault('E_ARGUMENT', {
      place: 'gpuStatistics',
      rule: 'the backend must be one of gpu() that computes on a device',
      expected: "a backend of mode 'webgpu' or 'webgl2'",
      actual: backend.name,
    });
  const { live, counters } = found.own;
  return Object.freeze({ handles: live.handles, handleBytes: live.bytes, ...counters, kernels: found.compiled.size() });
}
