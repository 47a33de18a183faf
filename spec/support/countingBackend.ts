/**
 * @file A backend that counts what it is asked for: to prove that something ran once, or not at all.
 */
import { js, type Backend, type Kernel } from '../../src/backends/index.js';
import type { KernelIR } from '../../src/codegen/ir.js';

export interface Counting {
  readonly backend: Backend;
  /** Kernels run so far. */
  readonly runs: () => number;
  /** Kernels run since this was last asked. */
  readonly taken: () => number;
  /** What kernels were made from, in order. */
  readonly compiled: readonly KernelIR[];
}

export function counting(inner: Backend = js()): Counting {
  let [runs, asked] = [0, 0];
  const compiled: KernelIR[] = [];
  const backend: Backend = {
    ...inner,
    compile(ir): Kernel {
      const kernel = inner.compile(ir);
      compiled.push(ir);
      return {
        run(inputs, outputs) {
          runs++;
          return kernel.run(inputs, outputs);
        },
        dispose: () => kernel.dispose(),
      };
    },
  };
  return {
    backend,
    runs: () => runs,
    taken() {
      const count = runs - asked;
      asked = runs;
      return count;
    },
    compiled,
  };
}
