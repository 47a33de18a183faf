/** @file Promises and streams by the facade: bounded, cancellable, in order (F021–F024). */
import { expect } from 'chai';
import { lastValueFrom, of, toArray } from 'rxjs';
import { executor, graph, input, js, mul, type EinstreamError } from '../../src/index.js';
import { scripted, turn } from '../support/scriptedBackend.js';
import { thrownBy } from '../support/thrownBy.js';

const g = graph({ x: input([]) }, ({ x }) => ({ y: mul(x, 2) }));
const feeds = Array.from({ length: 6 }, (_, k) => ({ x: k }));
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: EinstreamError) => error.code,
  );

describe('executor.executeBatchAsync (F022)', () => {
  it('gives all executions in order, at most so many at a time, on the executor’s backend', async () => {
    const { backend, calls } = scripted();
    const promised = executor({ backend, fallback: 'never' }).executeBatchAsync(g, feeds, { concurrency: 2 });
    let most = 0;
    for (let answered = 0; answered < feeds.length;) {
      await new Promise((resolve) => setTimeout(resolve));
      most = Math.max(most, calls.length);
      for (const { done } of calls.splice(0)) (done(), answered++);
    }
    const all = await promised;
    expect(all.map(([y]) => y.toArray())).to.deep.equal([0, 2, 4, 6, 8, 10]);
    expect(all[3].byName.y).to.equal(all[3][0]);
    expect(most).to.equal(2);
  });

  it('is cancelled by hand and by a signal, and the rest never begins', async () => {
    const { backend, calls } = scripted();
    const engine = executor({ backend, fallback: 'never' });
    const byHand = engine.executeBatchAsync(g, feeds, { concurrency: 2 });
    byHand.cancel();
    const reason = new Error('enough');
    const bySignal = engine.executeBatchAsync(g, feeds, { signal: AbortSignal.abort(reason) });
    expect(await codeOf(byHand)).to.equal('E_ABORT');
    expect(await bySignal.catch((error: unknown) => error)).to.equal(reason);
    await turn();
    expect(calls.length).to.equal(0);
  });

  it('is ended by the first failure', async () => {
    expect(await codeOf(executor().executeBatchAsync(g, [{ x: 1 }, { x: [1, 2] as never }, { x: 3 }]))).to.equal('E_FEED');
  });
});

describe('executor.executeStreamAsync (F023)', () => {
  it('gives an execution for each feed of a source that is pulled, in order', async () => {
    async function* source() {
      for (const each of feeds) yield await Promise.resolve(each);
    }
    const all$ = executor({ backend: js() }).executeStreamAsync(g, source(), { maxConcurrent: 2, backpressureThreshold: 3 });
    const all = await lastValueFrom(all$.pipe(toArray()));
    expect(all.map(([y]) => y.toArray())).to.deep.equal([0, 2, 4, 6, 8, 10]);
  });

  it('refuses an Observable without a policy, and limits that limit nothing, at the call', () => {
    expect(thrownBy(() => executor().executeStreamAsync(g, of({ x: 1 }))).code).to.equal('E_DEMAND');
    expect(thrownBy(() => executor().executeStreamAsync(g, feeds, { maxConcurrent: 0 })).code).to.equal('E_ARGUMENT');
  });
});
