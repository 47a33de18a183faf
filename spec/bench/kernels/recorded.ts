/**
 * @file A graph's kernels without the graph: compiled for a target, called once through the engine, then callable again.
 */
import { evaluateSync, tensor, type Backend, type Kernel, type KernelIR, type Tensor } from '../../../src/index.js';
import type { Target } from '../../../src/codegen/render/wasm/kernel.js';
import { wasmKernels } from '../../../src/backends/wasm/kernels.js';
import { wasmMemory, type WasmMemory } from '../../../src/backends/wasm/memory.js';
import { wasmOver } from '../../../src/backends/wasm/over.js';
import type { Arrays, Case } from './cases.js';

export interface Recorded {
  /** Runs all kernels in order, as the engine did. */
  readonly run: () => void;
  /** Milliseconds by the clock of all kernels' first runs. */
  readonly first: number;
  readonly kernels: readonly KernelIR[];
  /** The output's elements, row-major. */
  readonly output: () => Float32Array;
}

type Call = () => void;

/** A backend that remembers what it was asked to run, and keeps every tensor where it is. */
function recording(
  memory: WasmMemory,
  target: Target,
  calls: Call[],
  kernels: KernelIR[],
  took: (time: number) => void,
): Backend {
  const compile = wasmKernels(memory, target, 100);
  const own = wasmOver(memory, 100, target.isRelaxed);
  return {
    ...own,
    compile(ir) {
      const made = compile(ir);
      kernels.push(ir);
      const kernel: Kernel = {
        run(inputs, outputs) {
          const [reads, writes] = [[...inputs], [...outputs]];
          calls.push(() => void made.run(reads, writes));
          const start = performance.now();
          void made.run(inputs, outputs);
          took(performance.now() - start);
        },
        dispose: () => undefined,
      };
      return kernel;
    },
    release: () => undefined,
  };
}

/** The kernels of a case on a memory of its own; throws when an element that is looked at is wrong. */
export function record(given: Case, target: Target, bytes = 2 ** 28): Recorded {
  const memory = wasmMemory(bytes);
  const [calls, kernels]: [Call[], KernelIR[]] = [[], []];
  let first = 0;
  const backend = recording(memory, target, calls, kernels, (time) => (first += time));
  const arrays = given.feeds();
  const feeds = Object.fromEntries(
    Object.entries(arrays).map(([name, array]): [string, Tensor] => [
      name,
      backend.upload(tensor(array, { shape: given.shapes[name] })),
    ]),
  );
  const evaluate = (): Float32Array => {
    const { y } = evaluateSync(given.graph(), feeds, { backend });
    return y.data as Float32Array;
  };
  const result = evaluate();
  check(given, arrays, result);
  return { run: () => calls.forEach((call) => call()), first, kernels, output: () => result };
}

/** Elements of an output that are compared: the last one among them. */
const LOOKED_AT = 128;

function check({ name, expected, tolerance }: Case, arrays: Arrays, got: Float32Array): void {
  const at = expected(arrays);
  const count = Math.min(LOOKED_AT, got.length);
  for (let k = 0; k < count; k++) {
    const position = got.length - 1 - Math.floor((k * got.length) / count);
    const off = Math.abs(got[position] - at(position));
    if (!(off <= tolerance)) throw new Error(`${name}: element ${position} is ${got[position]}, not ${at(position)}`);
  }
}
