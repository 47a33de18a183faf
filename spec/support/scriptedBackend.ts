/**
 * @file An asynchronous backend whose kernels are answered one by one, well or badly.
 */
import { js, type Backend } from '../../src/backends/index.js';

interface Call {
  /** Writes the result. */
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Kernel calls that wait for an answer, the oldest first. */
export function scripted(): { readonly backend: Backend; readonly calls: Call[] } {
  const inner = js();
  const calls: Call[] = [];
  const backend: Backend = {
    ...inner,
    name: 'scripted',
    capabilities: { ...inner.capabilities, name: 'scripted', asynchronous: true },
    compile(ir) {
      const kernel = inner.compile(ir);
      return {
        ...kernel,
        run: (inputs, outputs) =>
          new Promise<void>((resolve, reject) => {
            const done = (): void => {
              void kernel.run(inputs, outputs);
              resolve();
            };
            calls.push({ done, failed: reject });
          }),
      };
    },
  };
  return { backend, calls };
}

/** Lets everything happen that promises have set off. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
