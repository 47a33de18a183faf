/**
 * @file A stand-in for gpu.js: kernels that are functions of JavaScript, on a device that can be made to fail.
 */
import type { Argument, Handle, InnerKernel, KernelSettings, Library, LibraryKernel } from '../../src/backends/gpu/library.js';

export interface FakeDevice {
  readonly library: Library;
  /** Handles that were made and not deleted. */
  readonly live: () => number;
  /** Kernels that were made and not destroyed. */
  readonly kernels: () => number;
  /** What the next call or readback fails with; undefined where it succeeds. */
  failure: string | undefined;
  /** Readbacks wait until `answer` is called. */
  isSlow: boolean;
  readonly answer: () => void;
  /** A new device: handles of the old one are gone. */
  readonly reset: () => void;
  /** The mode that kernels say they are of. */
  mode: string;
}

interface Parts {
  readonly handles: Set<FakeHandle>;
  readonly read: (elements: Float32Array) => Promise<Float32Array>;
}

class FakeHandle implements Handle {
  readonly elements: Float32Array;
  /** As gpu.js: elements of a thread, and threads. */
  componentCount: number;
  output: readonly number[];
  readonly #device: Parts;
  constructor(cells: readonly (number | readonly number[])[], device: Parts) {
    this.elements = Float32Array.from(cells.flat());
    this.componentCount = this.elements.length / cells.length;
    this.output = [cells.length];
    this.#device = device;
    device.handles.add(this);
  }
  toArray(): Promise<Float32Array> {
    if (!this.#device.handles.has(this)) throw new Error('a deleted handle was read');
    return this.#device.read(this.elements);
  }
  delete(): void {
    if (!this.#device.handles.delete(this)) throw new Error('a handle was deleted twice');
  }
}

export function fakeDevice(mode: string): FakeDevice {
  const handles = new Set<FakeHandle>();
  const made = new Set<InnerKernel>();
  let waiting: (() => void)[] = [];
  const fail = (): void => {
    if (device.failure !== undefined) throw new Error(device.failure);
  };
  const parts = {
    handles,
    async read(elements: Float32Array): Promise<Float32Array> {
      const copy = elements.slice();
      if (device.isSlow) await new Promise<void>((resolve) => waiting.push(resolve));
      else await Promise.resolve();
      fail();
      return copy;
    },
  };
  const library: Library = {
    kernels: [],
    createKernel: (source, settings) => kernelOf(source, settings),
    destroy: () => undefined,
  };
  const device: FakeDevice = {
    library,
    live: () => handles.size,
    kernels: () => made.size,
    failure: undefined,
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

  function kernelOf(source: string, { output: [length] }: KernelSettings): LibraryKernel {
    // The source is the engine's own; what `this.thread.x` is, the stand-in says.

    const cell = new Function(`return ${source}`)() as (...inputs: readonly unknown[]) => number | readonly number[];
    const inner: InnerKernel = { constructor: { mode: device.mode }, onRequestFallback: null, fallbackReason: null };
    library.kernels.push(inner);
    made.add(inner);
    const call = async (...inputs: readonly Argument[]): Promise<Handle> => {
      for (const each of inputs)
        if (each instanceof FakeHandle && each.componentCount !== 1) throw new Error('handles of arrays are not read');
      const values = inputs.map((each) => (each instanceof FakeHandle ? each.elements : each));
      await Promise.resolve();
      fail();
      return new FakeHandle(
        Array.from({ length }, (_, x) => cell.call({ thread: { x } }, ...values)),
        parts,
      );
    };
    return Object.assign(call, {
      kernel: inner,
      build: () => undefined,
      destroy: () => void made.delete(inner),
    });
  }
}
