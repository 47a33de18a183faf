/** @file Unsubscribing while a graph runs on wasm: quiet at the next kernel, and every buffer comes home. */
import { expect } from 'chai';
import { from, Subject } from 'rxjs';
import {
  add,
  einsum,
  evaluateSync,
  exp,
  graph,
  input,
  js,
  mul,
  param,
  relu,
  run,
  softmax,
  sum,
  tensor,
  tanh,
} from '../../../src/index.js';
import { liveMemory } from '../../../src/run/index.js';
import { counting } from '../../support/countingBackend.js';
import { probing } from '../../support/middleware.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { threadedWasm } from '../../support/threadedWasm.js';
import { wasmKit } from '../../support/wasmKit.js';

const SIZE = 32;
const filled = (seed: number) =>
  tensor(
    Float32Array.from({ length: SIZE * SIZE }, (_, k) => (((k + seed) * 7) % 13) / 26),
    { shape: [SIZE, SIZE] },
  );
const deep = graph({ x: input([SIZE, SIZE]), w: param(filled(3)) }, ({ x, w }) => {
  let y = x;
  for (let layer = 0; layer < 4; layer++) y = tanh(add(einsum('ij,jk->ik', relu(y), w), mul(exp(y), 0.01)));
  return { y: softmax(y), s: sum(y) };
});
const FRAMES = 5;
const feeds = Array.from({ length: FRAMES }, (_, k) => ({ x: filled(k) }));

const threads = {
  one: () => Promise.resolve(wasmKit()),
  two: () => threadedWasm({ pause: 0 }),
} as const;

describe('unsubscribing while a graph runs on wasm (S7)', function () {
  this.timeout(0);
  for (const [outputs, crew] of [
    ['copy', 'one'],
    ['borrow', 'one'],
    ['copy', 'two'],
  ] as const) {
    it(`at any node of any frame stops there: no kernel and no signal follows, and every buffer comes home (outputs: ${outputs}, threads: ${crew})`, async () => {
      const { backend: inner, memory } = await threads[crew]();
      const { backend, runs } = counting(inner);
      const options = { backend, outputs, level: 'none' } as const;
      let [state, steps] = [propertySeed() >>> 0, 0];
      const next = (bound: number): number => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 2 ** 32) * bound);
      };
      from(feeds).pipe(run(deep, { ...options, use: [probing(() => steps++)] })).subscribe(); // prettier-ignore
      const [used, quiet] = [memory.used(), [] as number[]];
      const trials = propertyRuns(15, 1_000, 10_000);
      for (let trial = 0; trial < trials; trial++) {
        let [left, signals, atCancel, since] = [1 + next(steps), 0, -1, 0];
        const hear = (): void => {
          if (--left > 0) return;
          if (left < 0) return void signals++;
          atCancel = runs();
          since = performance.now();
          subscription.unsubscribe();
          quiet.push(performance.now() - since);
        };
        const signal = (): void => void (atCancel >= 0 && signals++);
        const feeds$ = new Subject<(typeof feeds)[0]>();
        const subscription = feeds$
          .pipe(run(deep, { ...options, use: [probing(hear)] }))
          .subscribe({ next: signal, error: signal, complete: signal });
        for (const feed of feeds) feeds$.next(feed);
        feeds$.complete();
        expect(atCancel, 'it was cancelled').to.be.at.least(0);
        expect([runs() - atCancel, signals], 'kernels and signals afterwards').to.deep.equal([0, 0]);
        expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
        expect(memory.used()).to.equal(used);
      }
      quiet.sort((a, b) => a - b);
      const at = (share: number): string => quiet[Math.floor(share * (trials - 1))].toFixed(3);
      console.log(`      ${trials} times, quiet after ${at(0.5)} ms in the middle, ${at(0.99)} ms at most in 99 of 100`);
      const want = evaluateSync(deep, feeds[0], { backend: js() }).s.toArray();
      expect(evaluateSync(deep, feeds[0], { backend }).s.toArray()).to.be.closeTo(Number(want), 1e-3);
      await inner.close();
    });
  }
});
