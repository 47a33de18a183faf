/** @file A long training holds no more than a short one: params are new tensors each step, and old ones go. */
import { expect } from 'chai';
import { adam, train, type Backend, type TrainStep } from '../../src/index.js';
import { Subject } from 'rxjs';
import { js } from '../../src/backends/index.js';
import { liveMemory } from '../../src/run/index.js';
import { collected, reachable } from '../support/collect.js';
import { isLarge, propertyRuns } from '../support/property.js';
import { wasmKit } from '../support/wasmKit.js';
import { batchesOf, layers, type Batch } from './models.js';

const steps = propertyRuns(20, 10_000, 100_000);
const KiB = 1024;

describe(`memory over ${steps} steps of training`, function () {
  this.timeout(0);
  const { backend: wasm, memory } = wasmKit();
  const backends: Readonly<Record<string, readonly [Backend, () => number]>> = { js: [js(), () => 0], wasm: [wasm, () => memory.used()] }; // prettier-ignore

  for (const [name, [backend, used]] of Object.entries(backends).slice(isLarge() ? 0 : 1)) {
    it(`is flat on ${name}: heap, array buffers, arenas and the backend's own`, async () => {
      const batches$ = new Subject<Batch>();
      let last: TrainStep | undefined;
      batches$
        .pipe(train(layers, { loss: 'loss', optimizer: adam(), accumulate: 2, backend }))
        .subscribe((step) => (last = step));
      const pool = batchesOf(8);
      const samples: { readonly heap: number; readonly buffers: number; readonly used: number; readonly live: string }[] = [];
      for (let at = 0; at < 2 * steps; at++) {
        batches$.next(pool[at % 8]);
        if ((at + 1) % ((2 * steps) / 4) !== 0) continue;
        await collected();
        const { heap, buffers } = reachable();
        samples.push({ heap, buffers, used: used(), live: JSON.stringify(liveMemory()) });
      }
      expect(last!.step).to.equal(steps);
      // Code of the engine itself is compiled in the first half.
      const [, middle, , end] = samples;
      console.log(
        `      from step ${steps / 2} on: heap ${end.heap - middle.heap}, array buffers ${end.buffers - middle.buffers}, own ${end.used - middle.used} bytes`,
      );
      expect(end.heap - middle.heap).to.be.lessThan(512 * KiB);
      expect(end.buffers - middle.buffers).to.be.lessThan(64 * KiB);
      expect([end.used, end.live]).to.deep.equal([middle.used, middle.live]);
      batches$.complete();
      expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
    });
  }
});
