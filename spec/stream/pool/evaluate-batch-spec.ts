/** @file Many feeds, a few at a time, one promise (F022). */
import { expect } from 'chai';
import { evaluate, evaluateBatch, graph, input, mul, type GraphExecutor } from '../../../src/index.js';
import { settled } from '../../support/poolLedger.js';
import { scriptedPool } from '../../support/scriptedWorkers.js';
import { thrownBy } from '../../support/thrownBy.js';

const doubled = graph({ x: input([]) }, ({ x }) => ({ y: mul(x, 2) }));
const feeds = Array.from({ length: 20 }, (_, x) => ({ x }));

/** Counts how many run at the same time, and lets those end last that began first. */
function counting(fails: (x: unknown) => boolean = () => false) {
  const seen = { running: 0, most: 0, begun: 0, aborted: 0 };
  const executor: Pick<GraphExecutor, 'evaluate'> = {
    async evaluate(g, given, { signal } = {}) {
      seen.begun++;
      seen.most = Math.max(seen.most, ++seen.running);
      await new Promise((resolve) => setTimeout(resolve, 5 - (seen.begun % 3)));
      seen.running--;
      if (signal?.aborted === true) seen.aborted++;
      if (fails(given['x'])) throw new Error(`bad ${String(given['x'])}`);
      return evaluate(g, given);
    },
  };
  return { seen, executor };
}

describe('evaluateBatch (F022)', () => {
  it('answers all, in the order of the feeds, with at most `concurrency` at a time: 4 by default', async () => {
    for (const concurrency of [undefined, 1, 7, 100]) {
      const { seen, executor } = counting();
      const outputs = await evaluateBatch(doubled, feeds, { executor, ...(concurrency === undefined ? {} : { concurrency }) });
      expect(outputs.map(({ y }) => y.toArray())).to.deep.equal(feeds.map(({ x }) => 2 * x));
      expect(seen.most).to.equal(Math.min(concurrency ?? 4, feeds.length));
    }
  });

  it('gives nothing for nothing, and runs here without an executor', async () => {
    expect(await evaluateBatch(doubled, [])).to.deep.equal([]);
    const outputs = await evaluateBatch(doubled, feeds);
    expect(outputs.map(({ y }) => y.toArray())).to.deep.equal(feeds.map(({ x }) => 2 * x));
  });

  it('rejects with the first failure, and cancels the rest', async () => {
    const { seen, executor } = counting((x) => x === 5);
    const error = await evaluateBatch(doubled, feeds, { executor, concurrency: 2 }).catch((thrown: unknown) => thrown);
    expect(error).to.have.property('message', 'bad 5');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(seen.begun).to.be.within(6, 8);
    expect(seen.running).to.equal(0);
  });

  it('goes on to the end where it settles, and says how each ended', async () => {
    const { executor } = counting((x) => (x as number) % 2 === 1);
    const results = await evaluateBatch(doubled, feeds.slice(0, 4), { executor, settle: true });
    expect(results.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  });

  it('is cancelled by its signal or by hand; what waits never starts', async () => {
    for (const how of ['signal', 'cancel'] as const) {
      const { pool, pass } = scriptedPool({ act: () => ({ ms: 10, tileMs: 1 }) });
      const controller = new AbortController();
      const batch = evaluateBatch(doubled, feeds, { executor: pool, concurrency: 2, signal: controller.signal });
      const reason = new Error('enough');
      await settled();
      if (how === 'signal') controller.abort(reason);
      else batch.cancel(reason);
      expect(await batch.catch((thrown: unknown) => thrown)).to.equal(reason);
      pass();
      await settled();
      expect(pool.stats()).to.include({ submitted: 2, cancelled: 2, running: 0, replaced: 0 });
    }
  });

  it('with wrong options is E_ARGUMENT', () => {
    expect(thrownBy(() => evaluateBatch(doubled, [], { concurrency: 0 })).code).to.equal('E_ARGUMENT');
    expect(thrownBy(() => evaluateBatch(doubled, [], { settled: true } as never)).code).to.equal('E_ARGUMENT');
  });
});
