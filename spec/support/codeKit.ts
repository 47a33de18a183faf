/**
 * @file A backend whose code costs what a script says, by a clock that moves when it is read: for specs of just-in-time tiers.
 */
import { js, type Backend, type KernelIR } from '../../src/index.js';

export interface CodeKit {
  readonly backend: Backend;
  /** Each node that is interpreted takes 10 ms, a kernel `cost`, and to compile a kernel 7. */
  readonly clock: () => number;
  readonly compiled: () => number;
  /** Kernels that exist. */
  readonly alive: () => number;
  /** Kernels that ran since this was last asked. */
  readonly ran: () => number;
}

const INTERPRETED = 10;
const COMPILING = 7;

export function codeKit({ cost = (_: KernelIR): number => 4, inner = js() } = {}): CodeKit {
  let [time, compiled, disposed, ran] = [0, 0, 0, 0];
  // What happened since the clock was read last.
  let spent: number | undefined;
  const backend: Backend = {
    ...inner,
    name: 'kit',
    compile(ir) {
      const kernel = inner.compile(ir);
      compiled++;
      spent = (spent ?? 0) + COMPILING;
      let isAlive = true;
      return {
        run(inputs, outputs) {
          if (!isAlive) throw new Error('a kernel ran after its disposal');
          ran++;
          spent = cost(ir);
          return kernel.run(inputs, outputs);
        },
        dispose() {
          if (isAlive) disposed++;
          isAlive = false;
          kernel.dispose();
        },
      };
    },
  };
  return {
    backend,
    clock() {
      time += spent ?? INTERPRETED;
      spent = undefined;
      return time;
    },
    compiled: () => compiled,
    alive: () => compiled - disposed,
    ran() {
      const count = ran;
      ran = 0;
      return count;
    },
  };
}
