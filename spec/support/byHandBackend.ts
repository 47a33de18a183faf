/**
 * @file An asynchronous backend whose kernels are done when they are told to be.
 */
import { js, type Backend } from '../../src/backends/index.js';

export interface ByHand {
  readonly backend: Backend;
  /** Kernels that were started and are not done. */
  readonly waiting: () => number;
  /** Lets kernels be done, those too that are started by others' end, until none waits. */
  readonly finish: () => Promise<void>;
  /** Kernels that were disposed of, and those that were used after that. */
  readonly disposed: () => number;
  readonly misused: () => number;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function byHand(): ByHand {
  const inner = js();
  const pending: (() => void)[] = [];
  let [disposed, misused] = [0, 0];
  const backend: Backend = {
    ...inner,
    name: 'by hand',
    capabilities: { ...inner.capabilities, name: 'by hand', asynchronous: true },
    compile(ir) {
      const kernel = inner.compile(ir);
      let isDisposed = false;
      return {
        run: (inputs, outputs) =>
          new Promise<void>((resolve) => {
            pending.push(() => {
              if (isDisposed) misused++;
              void kernel.run(inputs, outputs);
              resolve();
            });
          }),
        dispose() {
          isDisposed = true;
          disposed++;
        },
      };
    },
  };
  return {
    backend,
    waiting: () => pending.length,
    disposed: () => disposed,
    misused: () => misused,
    // The youngest first, as nothing says that a device keeps an order: what writes where it must not, writes last.
    async finish() {
      for (await turn(); pending.length > 0; await turn())
        pending
          .splice(0)
          .reverse()
          .forEach((done) => done());
    },
  };
}
