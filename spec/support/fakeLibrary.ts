/**
 * @file A stand-in for gpu.js: kernels that are functions of JavaScript, on a device that can be made to fail.
 */
import type { Argument, Handle, InnerKernel, KernelSettings, Library, LibraryKernel } from '../../src/backends/gpu/library.js';

export interface FakeDevice {
  /** An instance of gpu.js; in mode `webgl2` each has a context of its own. */
  readonly make: () => Library;
  /** Handles that were made and not deleted. */
  readonly live: () => number;
  /** Kernels that were made and not destroyed. */
  readonly kernels: () => number;
  /** What the next call or readback fails with; undefined where it succeeds. */
  failure: string | undefined;
  /** What kernels that are used for the first time fail with: those that compute. */
  broken: string | undefined;
  /** Readbacks wait until `answer` is called. */
  isSlow: boolean;
  readonly answer: () => void;
  /** The device is gone: WebGL gives zeros from now on, without a word, and WebGPU rejects. */
  readonly lose: () => void;
  /** What the next call finds: its result is zeros, and only who asks the device hears why. */
  silence: 'memory' | 'validation' | undefined;
  /** A new device: handles of the old one are gone. */
  readonly reset: () => void;
  /** The mode that kernels say they are of. */
  mode: string;
}

/** A device, as gpu.js keeps it: of both kinds at once. */
interface Context {
  isLost: boolean;
  readonly flags: number[];
  readonly listeners: ((event: { readonly error: Error }) => void)[];
}

class GPUValidationError extends Error {}
class GPUOutOfMemoryError extends Error {}

interface Parts {
  readonly handles: Set<FakeHandle>;
  readonly read: (elements: Float32Array, context: Context) => Promise<Float32Array>;
}

class FakeHandle implements Handle {
  readonly elements: Float32Array;
  /** As gpu.js: elements of a thread, and threads. */
  componentCount: number;
  output: readonly number[];
  readonly #device: Parts;
  readonly #context: Context;
  constructor(cells: readonly (number | readonly number[])[], device: Parts, context: Context) {
    this.elements = Float32Array.from(cells.flat());
    this.componentCount = this.elements.length / cells.length;
    this.output = [cells.length];
    this.#context = context;
    this.#device = device;
    device.handles.add(this);
  }
  toArray(): Promise<Float32Array> {
    if (!this.#context.isLost && !this.#device.handles.has(this)) throw new Error('a deleted handle was read');
    return this.#device.read(this.elements, this.#context);
  }
  delete(): void {
    // What a lost device held is nothing that could be deleted twice.
    if (!this.#device.handles.delete(this) && !this.#context.isLost) throw new Error('a handle was deleted twice');
  }
}

export function fakeDevice(mode: string): FakeDevice {
  const handles = new Set<FakeHandle>();
  const made = new Set<InnerKernel>();
  let waiting: (() => void)[] = [];
  const contextOf = (): Context => ({ isLost: false, flags: [], listeners: [] });
  let context = contextOf();
  const fail = (): void => {
    if (device.failure !== undefined) throw new Error(device.failure);
  };
  const parts = {
    handles,
    async read(elements: Float32Array, from: Context): Promise<Float32Array> {
      const copy = elements.slice();
      if (from.isLost && mode === 'webgpu') throw new Error('WebGPU device was lost; this buffer no longer holds data');
      if (device.isSlow) await new Promise<void>((resolve) => waiting.push(resolve));
      else await Promise.resolve();
      fail();
      if (!from.isLost) return copy;
      if (mode === 'webgpu') throw new DOMException('', 'AbortError');
      return copy.fill(0);
    },
  };
  const make = (): Library => {
    if (mode === 'webgl2') context = contextOf();
    const own = context;
    const library: Library = {
      kernels: [],
      context: {
        isContextLost: () => own.isLost,
        getError: () => own.flags.shift() ?? 0,
        getExtension: () => ({ loseContext: () => void (own.isLost = true) }),
      },
      createKernel: (source, settings) => kernelOf(library, own, source, settings),
      destroy: () => undefined,
    };
    return library;
  };
  const device: FakeDevice = {
    make,
    silence: undefined,
    lose() {
      context.isLost = true;
      handles.clear();
      if (mode === 'webgpu') context = contextOf();
    },
    live: () => handles.size,
    kernels: () => made.size,
    failure: undefined,
    broken: undefined,
    isSlow: false,
    answer() {
      const ready = waiting;
      waiting = [];
      for (const each of ready) each();
    },
    mode,
    reset() {
      handles.clear();
      device.failure = undefined;
    },
  };
  return device;

  /** What is refused is told to those who listen, or who ask. */
  function refuse(by: Context, reason: 'memory' | 'validation'): void {
    const error = reason === 'memory' ? new GPUOutOfMemoryError('no room') : new GPUValidationError('the command is invalid');
    for (const listener of by.listeners) listener({ error });
    if (reason === 'memory') by.flags.push(0x0505);
  }

  function kernelOf(library: Library, own: Context, source: string, { output: [length] }: KernelSettings): LibraryKernel {
    // The source is the engine's own; what `this.thread.x` is, the stand-in says.

    const cell = new Function(`return ${source}`)() as (...inputs: readonly unknown[]) => number | readonly number[];
    let by = own;
    const inner: InnerKernel = {
      constructor: { mode: device.mode === 'webgl2' ? 'gpu' : device.mode },
      onRequestFallback: null,
      fallbackReason: null,
      get context() {
        const used = by;
        return {
          get isLost() {
            return used.isLost;
          },
          device: {
            addEventListener: (_kind: string, listener: Context['listeners'][number]) => void used.listeners.push(listener),
          },
        };
      },
    };
    library.kernels.push(inner);
    made.add(inner);
    let isBuilt = false;
    const call = async (...inputs: readonly Argument[]): Promise<Handle> => {
      if (mode === 'webgpu' && !isBuilt) by = context;
      isBuilt = true;
      for (const each of inputs)
        if (each instanceof FakeHandle && each.componentCount !== 1) throw new Error('handles of arrays are not read');
      const values = inputs.map((each) => (each instanceof FakeHandle ? each.elements : each));
      await Promise.resolve();
      fail();
      // What copies an array compiles everywhere.
      if (
        device.broken !== undefined &&
        !/^function\(a0\)\{\nconst v0=this.thread.x;\nconst v1=a0\[v0\];\nreturn v1;/.test(source)
      )
        throw new Error(device.broken);
      if (by.isLost && mode === 'webgpu') throw new Error('WebGPU device was lost; call kernel.destroy() and run again');
      const cells = Array.from({ length }, (_, x) => cell.call({ thread: { x } }, ...values));
      const result = new FakeHandle(cells, parts, by);
      if (device.silence !== undefined) refuse(by, device.silence);
      if (by.isLost || device.silence !== undefined) result.elements.fill(0);
      device.silence = undefined;
      return result;
    };
    return Object.assign(call, {
      kernel: inner,
      build: () => undefined,
      destroy: () => void made.delete(inner),
    });
  }
}
