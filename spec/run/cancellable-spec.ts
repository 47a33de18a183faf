/** @file Promises that can be cancelled, by hand and by AbortSignals: reasons pass through, and no listener is left (P19) (F027). */
import { expect } from 'chai';
import { evaluate, executor, graph, input, liveMemory, mul } from '../../src/index.js';
import { onAbort } from '../../src/run/signals.js';
import { follow, settled } from '../support/poolLedger.js';
import { propertyRuns } from '../support/property.js';
import { scripted, turn } from '../support/scriptedBackend.js';
import { scriptedPool } from '../support/scriptedWorkers.js';

const doubled = graph({ x: input([]) }, ({ x }) => ({ y: mul(x, 2) }));

/** A signal that counts its listeners. */
function counted(): { readonly controller: AbortController; readonly listeners: () => number; readonly most: () => number } {
  const controller = new AbortController();
  const { signal } = controller;
  let [count, most] = [0, 0];
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = ((...given: Parameters<typeof add>) => {
    most = Math.max(most, ++count);
    add(...given);
  }) as typeof signal.addEventListener;
  signal.removeEventListener = ((...given: Parameters<typeof remove>) => {
    count--;
    remove(...given);
  }) as typeof signal.removeEventListener;
  return { controller, listeners: () => count, most: () => most };
}

describe('a signal (P19) (F027)', () => {
  it('cancels, and its reason is what the promise rejects with: the same object, of any kind', async () => {
    for (const reason of [new Error('mine'), 'a word', undefined, null, 0]) {
      const { pool } = scriptedPool({ act: () => ({ ms: 1000, tileMs: 1 }) });
      const controller = new AbortController();
      const all = [1, 2, 3].map((x) => follow(pool, doubled, { x }, { signal: controller.signal }));
      controller.abort(reason);
      await settled();
      for (const { ended } of all) {
        if (reason === undefined) expect(ended?.error).to.have.property('name', 'AbortError');
        else expect(ended?.error).to.equal(reason);
      }
      expect(pool.stats()).to.include({ cancelled: 3, inFlight: 0 });
    }
  });

  it('that is aborted already keeps the work from beginning', async () => {
    const { pool } = scriptedPool();
    const reason = new Error('before');
    const request = follow(pool, doubled, { x: 1 }, { signal: AbortSignal.abort(reason) });
    await settled();
    expect(request.ended?.error).to.equal(reason);
    expect(pool.stats().submitted).to.equal(0);
  });

  it('after the answer cancels nothing', async () => {
    const { pool } = scriptedPool();
    const controller = new AbortController();
    const request = follow(pool, doubled, { x: 1 }, { signal: controller.signal });
    await settled();
    controller.abort();
    await settled();
    expect([request.endings, pool.stats().cancelled]).to.deep.equal([1, 0]);
  });

  it('of thousands of requests, 100 at a time, has one listener at most, and none at the end; nobody is warned', async () => {
    const warnings: unknown[] = [];
    const hear = (warning: unknown): void => void warnings.push(warning);
    process.on('warning', hear);
    try {
      const { pool, pass } = scriptedPool({ act: () => ({ ms: 1 }) });
      const { controller, listeners, most } = counted();
      const rounds = propertyRuns(5, 100, 100);
      for (let round = 0; round < rounds; round++) {
        const all = Array.from({ length: 100 }, (_, x) => follow(pool, doubled, { x }, { signal: controller.signal }));
        pass();
        await Promise.all(all.map(({ promise }) => promise));
      }
      await settled();
      expect([listeners(), most(), pool.stats().successful]).to.deep.equal([0, 1, 100 * rounds]);
      expect(warnings).to.deep.equal([]);
    } finally {
      process.off('warning', hear);
    }
  });

  it('is listened to again after everybody had left', () => {
    const { controller, listeners } = counted();
    const heard: number[] = [];
    const forget = onAbort(controller.signal, () => heard.push(1));
    forget();
    forget();
    expect(listeners()).to.equal(0);
    onAbort(controller.signal, () => heard.push(2));
    onAbort(controller.signal, () => heard.push(3));
    expect(listeners()).to.equal(1);
    controller.abort();
    expect(heard).to.deep.equal([2, 3]);
  });
});

describe('cancel of a promise (F027)', () => {
  it('rejects it with the reason, and nobody need listen', async () => {
    const uncaught: unknown[] = [];
    const hear = (error: unknown): void => void uncaught.push(error);
    process.on('unhandledRejection', hear);
    try {
      const { pool } = scriptedPool({ act: () => ({ ms: 1000 }) });
      pool.evaluate(doubled, { x: 1 }).cancel();
      await settled();
      await settled();
      expect(uncaught).to.deep.equal([]);
      expect(pool.stats().cancelled).to.equal(1);
    } finally {
      process.off('unhandledRejection', hear);
    }
  });
});

describe('evaluate, cancelled', () => {
  for (const how of ['signal', 'cancel'] as const)
    for (const who of ['evaluate', 'executeAsync'] as const)
      it(`by ${how}, ${who} rejects with the reason and holds nothing once its kernel has ended (F021)`, async () => {
        const { backend, calls } = scripted();
        const controller = new AbortController();
        const { signal } = controller;
        const running =
          who === 'evaluate'
            ? evaluate(doubled, { x: 1 }, { backend, signal })
            : executor({ backend }).executeAsync(doubled, { x: 1 }, { signal });
        const reason = new Error('enough');
        if (how === 'signal') controller.abort(reason);
        else running.cancel(reason);
        expect(await running.catch((error: unknown) => error)).to.equal(reason);
        calls[0].done();
        await turn();
        expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
      });

  it('is not begun where its signal is aborted already', async () => {
    const { backend, calls } = scripted();
    const reason = new Error('before');
    const running = evaluate(doubled, { x: 1 }, { backend, signal: AbortSignal.abort(reason) });
    expect(await running.catch((error: unknown) => error)).to.equal(reason);
    expect(calls).to.have.length(0);
  });
});
