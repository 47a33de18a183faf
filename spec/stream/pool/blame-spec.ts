/** @file Workers that hold several requests: whose fault it is when they are gone. */
import { expect } from 'chai';
import { expectBalanced, settled } from '../../support/poolLedger.js';
import { codes, doubled, setUp } from '../../support/scriptedRequests.js';

describe('a worker that holds several requests', () => {
  it('has them at hand, and dies on one of them: the others lose no attempt', async () => {
    const { pool, pass, ask, lives } = setUp(
      { act: ({ life }) => ({ ms: 10, how: life < 2 ? 'die' : 'answer' }) },
      { workers: 1, perWorker: 3, retry: { attempts: 2, delayMs: 0 }, circuit: { losses: 9 } },
    );
    const all = [1, 2, 3, 4].map((x) => ask(x));
    expect(pool.stats()).to.include({ running: 3, queued: 1, peakConcurrent: 3 });
    pass();
    await settled();
    // Whoever came first in each life was blamed; nobody came first twice.
    expect(codes(all)).to.deep.equal(['answer', 'answer', 'answer', 'answer']);
    expect([pool.stats().retries, pool.stats().lost, lives.length]).to.deep.equal([2, 2, 3]);
    expectBalanced(pool);
  });

  it('is not replaced for a cancelled one that waits behind another: that one’s time begins when its turn comes', async () => {
    const { pool, pass, ask } = setUp(
      { act: ({ nth }) => ({ ms: nth === 0 ? 500 : 1000, tileMs: 1 }) },
      { workers: 1, perWorker: 2 },
    );
    const [first, second] = [ask(1), ask(2)];
    second.cancel();
    pass(499);
    expect(pool.stats()).to.include({ running: 2, replaced: 0 });
    pass(200);
    await settled();
    expect(codes([first, second])).to.deep.equal(['answer', 'E_ABORT']);
    expect(pool.stats()).to.include({ running: 0, replaced: 0, lost: 0 });
  });

  it('does not start again what a listener cancels while it hears of another loss', async () => {
    const { pool, pass, lives } = setUp({ act: () => ({ ms: 10 }) }, { workers: 1, perWorker: 3, retry: { attempts: 1 } });
    const first = pool.evaluate(doubled, { x: 1 });
    const others = [2, 3].map((x) => pool.evaluate(doubled, { x }));
    const heard: unknown[] = [];
    for (const other of others) other.catch((error: unknown) => heard.push(error));
    first.catch(() => undefined);
    lives[0].die();
    for (const other of others) other.cancel('all off');
    pass();
    await settled();
    expect(heard).to.deep.equal(['all off', 'all off']);
    expect(pool.stats()).to.include({ successful: 0, cancelled: 2, failed: 1, running: 0 });
  });

  it('is not trusted to have left one alone that must not be computed twice', async () => {
    const { ask, lives } = setUp({ act: () => ({ ms: 10 }) }, { workers: 1, perWorker: 2 });
    const [, second] = [ask(1), ask(2, { idempotent: false })];
    lives[0].die();
    await settled();
    expect(codes([second])).to.deep.equal(['E_WORKER_LOST']);
  });
});
