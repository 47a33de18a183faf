/**
 * @file A worker whose kernels misbehave when the first element they read asks for it: really, not in pretence.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { js, type Backend } from '../../../src/index.js';
import { poolWorker } from '../../../src/worker.js';
import { DEEDS } from './deeds.js';

// (module (func (export "f") (loop br 0)))
// prettier-ignore
const ENDLESS = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 9, 1, 7, 0, 3, 64, 12, 0, 11, 11,
]);

const busy = (ms: number): void => {
  for (const until = performance.now() + ms; performance.now() < until;);
};

const deeds: Readonly<Record<number, () => void>> = {
  [DEEDS.exit]: () => process.exit(7),
  [DEEDS.loop]: () => {
    for (;;);
  },
  [DEEDS.wasmLoop]: () => (new WebAssembly.Instance(new WebAssembly.Module(ENDLESS)).exports['f'] as () => void)(),
  [DEEDS.wait]: () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  [DEEDS.fillHeap]: () => {
    for (const kept: unknown[] = []; ;) kept.push(new Array(1000).fill(kept.length));
  },
  [DEEDS.busy]: () => busy(100),
  [DEEDS.tile]: () => busy(1),
  [DEEDS.collect]() {
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
  },
};

function wild(): Backend {
  const inner = js();
  return {
    ...inner,
    name: 'wild',
    compile(ir) {
      const kernel = inner.compile(ir);
      return {
        run(inputs, outputs) {
          const [first] = inputs;
          if (first.size > 0) deeds[Number(first.data[0])]?.();
          return kernel.run(inputs, outputs);
        },
        dispose: () => kernel.dispose(),
      };
    },
  };
}

poolWorker({ backend: wild });
