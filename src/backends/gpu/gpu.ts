/**
 * @file The `gpu` backend: kernels are sources for gpu.js, which compiles them for one of its modes.
 */
import { describeValue, fault } from '../../errors/index.js';
import type { KernelIR } from '../../codegen/ir.js';
import type { GpuForm } from '../../codegen/render/gpu/form.js';
import { MOST_ARRAYS } from '../../codegen/render/gpu/limits.js';
import { MOST_RADIANS } from '../../codegen/render/gpu/functions/trigonometric.js';
import { COMPUTED_DTYPES } from '../../tensor/dtype.js';
import { MAX_ELEMENTS, MAX_RANK } from '../../tensor/shape.js';
import { allocateTensor, type Tensor } from '../../tensor/tensor.js';
import type { Backend, BackendCapabilities, Kernel } from '../backend.js';
import { asynchronousKernel } from './asynchronous.js';
import { hardwareMode, withoutHardware } from './auto.js';
import { openMode } from './availability.js';
import { device, type Counters, type GpuStatistics } from './device.js';
import type { Live } from './deviceBuffer.js';
import { exclusions } from './exclusions.js';
import { FORMS } from './forms.js';
import { adapters } from './hardware.js';
import { instance, type Instance } from './instance.js';
import { loadLibrary, type Library } from './library.js';
import { readOptions, type GpuMode, type GpuOptions } from './options.js';
import { programs, SYNCHRONOUS, type Programs } from './programs.js';
import { synchronousKernel } from './synchronous.js';

export type { GpuStatistics } from './device.js';
export type { GpuMode, GpuOptions } from './options.js';

/**
 * A backend whose kernels gpu.js compiles.
 *
 * Mode `'auto'`, the default, takes hardware alone; where there is none `wasm` or `js` computes, and `onDiagnostic` and the
 * backend's remarks say so. A mode that is named is that mode, on a software adapter too, or an error.
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
  const { mode: asked, onDiagnostic, ...limits } = readOptions(options);
  const found = asked === 'auto' ? await adapters() : [];
  const mode = asked === 'auto' ? hardwareMode(found) : asked;
  if (mode === undefined) return withoutHardware(found, onDiagnostic);
  return backendOver(await openMode(await loadLibrary(), mode), mode, limits);
}

export interface Limits {
  readonly cacheSize: number;
  readonly readTimeout: number;
  /** How kernels compute; by default as the mode wants it. */
  readonly form?: GpuForm;
}

/** The backend on instances of gpu.js: the first, and those that follow where a device is lost. */
export function backendOver(make: () => Library, mode: GpuMode, limits: Limits): Backend {
  const { cacheSize, readTimeout, form = FORMS[mode] } = limits;
  const own = instance(make, mode);
  const parts: Parts = {
    form,
    instance: own,
    programs: programs(own, mode, cacheSize),
    counters: { readbacks: 0, uploads: 0, launches: 0 },
    async closed() {
      parts.programs.forget();
      await own.close();
    },
  };
  return SYNCHRONOUS.has(mode) ? onHost(mode, parts) : onDevice(mode, parts, readTimeout);
}

/** What a backend is made of, whatever the mode. */
interface Parts {
  readonly instance: Instance;
  readonly form: GpuForm;
  readonly programs: Programs;
  readonly counters: Counters;
  readonly closed: () => Promise<void>;
}

const capabilitiesOf = (mode: GpuMode): BackendCapabilities => {
  const isSynchronous = SYNCHRONOUS.has(mode);
  return Object.freeze<BackendCapabilities>({
    name: 'gpu',
    version: '1',
    devices: [{ type: isSynchronous ? 'CPU' : 'GPU', index: 0 }],
    dtypes: COMPUTED_DTYPES,
    excludes: exclusions(),
    features: isSynchronous ? ['CodeGeneration'] : ['CodeGeneration', 'GPUAcceleration'],
    maxDims: MAX_RANK,
    maxTensorBytes: MAX_ELEMENTS * Float64Array.BYTES_PER_ELEMENT,
    maxFusedNodes: 64,
    maxFusedOperands: MOST_ARRAYS,
    partialSums: 'float32',
    denormals: isSynchronous ? 'kept' : 'mayBeZero',
    asynchronous: !isSynchronous,
    remarks: [
      `gpu.js computes in its mode ${mode}`,
      'kernels compute in float32',
      `a kernel reads at most ${MOST_ARRAYS} arrays`,
      ...(isSynchronous
        ? []
        : ['numbers below 1.2e-38 may become 0', `sin, cos and tan beyond ${MOST_RADIANS} are as exact as the driver's`]),
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

const statistics = new WeakMap<Backend, () => GpuStatistics>();

/** Remembers what to say of a backend. */
function counted(backend: Backend, { programs: compiled, counters }: Parts, live: Live): Backend {
  statistics.set(backend, () =>
    Object.freeze({ handles: live.handles, handleBytes: live.bytes, ...counters, kernels: compiled.size() }),
  );
  return backend;
}

function onHost(mode: GpuMode, parts: Parts): Backend {
  const { compile, shut } = guarded((ir) => synchronousKernel(parts.programs, parts.counters, parts.form, ir));
  const backend = Object.freeze<Backend>({
    name: 'gpu',
    capabilities: capabilitiesOf(mode),
    compile,
    allocate: allocateTensor,
    upload: (tensor: Tensor) => tensor,
    close() {
      shut();
      return parts.closed();
    },
  });
  return counted(backend, parts, { handles: 0, bytes: 0 });
}

function onDevice(mode: GpuMode, parts: Parts, readTimeout: number): Backend {
  const own = device(parts.instance, parts.counters, readTimeout);
  const { compile, shut } = guarded((ir) => asynchronousKernel({ ...parts, device: own }, ir));
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
      return parts.closed();
    },
  });
  return counted(backend, parts, own.live);
}

/**
 * What a `gpu` backend holds now, and what it has done since it was made.
 *
 * ```ts
 * gpu({ mode: 'cpu' }).then((backend) => gpuStatistics(backend).handles) // => 0
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for a backend that `gpu` did not make
 */
export function gpuStatistics(backend: Backend): GpuStatistics {
  const tell = statistics.get(backend);
  if (tell !== undefined) return tell();
  throw fault('E_ARGUMENT', {
    place: 'gpuStatistics',
    rule: 'the backend must be one that gpu() made',
    actual: describeValue(backend),
  });
}
