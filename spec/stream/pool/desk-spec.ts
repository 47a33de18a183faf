/** @file Requests of a pool in virtual time: the line, deadlines, losses and retries. */
import { expect } from 'chai';
import { graph, input, mul } from '../../../src/index.js';
import { expectBalanced, follow, settled } from '../../support/poolLedger.js';
import { codes, setUp } from '../../support/scriptedRequests.js';

describe('a request', () => {
  it('is answered by whoever is free, as many at a time as there are workers; the others wait in their order', async () => {
    const { pool, pass, ask } = setUp({ act: () => ({ ms: 10 }) });
    const all = [1, 2, 3, 4, 5].map((x) => ask(x));
    expect(pool.stats()).to.include({ running: 2, queued: 3, inFlight: 5, peakConcurrent: 2 });
    pass(10);
    await settled();
    expect(codes(all)).to.deep.equal(['answer', 'answer', undefined, undefined, undefined]);
    pass();
    await settled();
    expect(all.map(({ ended }) => ended?.outputs?.['y'].toArray())).to.deep.equal([2, 4, 6, 8, 10]);
  });

  it('that finds no room is E_QUEUE_FULL in the same tick: ten into room for eight, and two that run (B6)', async () => {
    const { pool, pass, ask } = setUp({ act: () => ({ ms: 10 }) }, { maxQueue: 6 });
    const all = Array.from({ length: 10 }, (_, x) => ask(x));
    expect(pool.stats()).to.include({ refused: 2, failed: 2, queued: 6, running: 2 });
    await settled();
    expect(codes(all).slice(8)).to.deep.equal(['E_QUEUE_FULL', 'E_QUEUE_FULL']);
    pass();
    await settled();
    expect(codes(all).filter((code) => code === 'answer')).to.have.length(8);
    expectBalanced(pool);
  });

  it('is refused by bytes, too', () => {
    const big = graph({ x: input([1000]) }, ({ x }) => ({ y: mul(x, 2) }));
    const { pool } = setUp({ act: () => ({ ms: 10 }) }, { workers: 1, maxQueueBytes: 8000 });
    for (let k = 0; k < 5; k++) void follow(pool, big, { x: new Float32Array(1000) });
    expect(pool.stats()).to.include({ queued: 2, queuedBytes: 8000, refused: 2 });
  });

  it('that is late is E_TIMEOUT at its deadline, waiting or running; its worker goes on, or is replaced after the grace (P5)', async () => {
    const { pool, pass, ask, lives } = setUp(
      { act: ({ life }) => ({ ms: life === 0 ? 1e9 : 10 }) },
      { workers: 1, timeoutMs: 100 },
    );
    const [running, waiting] = [ask(1), ask(2)];
    pass(99);
    await settled();
    expect(codes([running, waiting])).to.deep.equal([undefined, undefined]);
    pass(1);
    await settled();
    expect(codes([running, waiting])).to.deep.equal(['E_TIMEOUT', 'E_TIMEOUT']);
    expect((running.ended?.error as Error).message).to.match(/timeoutMs.*within 100 ms.*attempt 1 still runs/);
    expect((waiting.ended?.error as Error).message).to.match(/0 attempts, and it waits for a worker/);
    expect([lives.length, pool.stats().replaced]).to.deep.equal([1, 0]);
    pass(50);
    expect([lives.length, lives[0].isEnded, pool.stats().replaced]).to.deep.equal([2, true, 1]);
    const next = ask(3);
    pass();
    await settled();
    expect(codes([next])).to.deep.equal(['answer']);
    expect(pool.stats()).to.include({ timeouts: 2, successful: 1, inFlight: 0 });
  });

  it('may lower its deadline, not raise it', async () => {
    const { pass, ask } = setUp({ act: () => ({ ms: 1000 }) }, { timeoutMs: 100 });
    const [lower, higher] = [ask(1, { timeoutMs: 20 }), ask(2, { timeoutMs: 5000 })];
    pass(20);
    await settled();
    expect(codes([lower, higher])).to.deep.equal(['E_TIMEOUT', undefined]);
    pass(80);
    await settled();
    expect(codes([higher])).to.deep.equal(['E_TIMEOUT']);
  });

  it('whose worker dies is tried again elsewhere, after 100, 200, 400 ms, until its attempts are used up (P2) (P16)', async () => {
    const seen: (readonly [number, number])[] = [];
    const retry = { attempts: 4, delayMs: 100, jitter: 0 };
    const { pool, pass, ask, time } = setUp(
      {
        act({ life }) {
          seen.push([life, time.frame]);
          return { ms: 0, how: 'die' };
        },
      },
      { retry },
    );
    const request = ask(1);
    pass();
    await settled();
    expect(seen.map(([, at]) => at)).to.deep.equal([0, 100, 300, 700]);
    expect(new Set(seen.map(([life]) => life)).size).to.equal(4);
    expect(request.ended?.code).to.equal('E_WORKER_LOST');
    expect(request.ended?.error).to.have.property('attempt', 4);
    expect(pool.stats()).to.include({ lost: 4, retries: 3, failed: 1, health: 'ready' });
  });

  it('is not tried again where it must not be computed twice (P17), nor for lack of memory (P3)', async () => {
    const dying = setUp({ act: () => ({ how: 'die' }) });
    const once = dying.ask(1, { idempotent: false });
    const starving = setUp({ act: () => ({ how: 'oom' }) });
    const large = starving.ask(1);
    dying.pass();
    starving.pass();
    await settled();
    expect([once.ended?.code, large.ended?.code]).to.deep.equal(['E_WORKER_LOST', 'E_OOM']);
    expect([dying.pool.stats().retries, starving.pool.stats().retries]).to.deep.equal([0, 0]);
    expect([starving.pool.stats().health, starving.lives.length]).to.deep.equal(['ready', 3]);
  });

  it('that would be tried again after its deadline is not', async () => {
    const { pool, pass, ask } = setUp(
      { act: () => ({ ms: 50, how: 'die' }) },
      { timeoutMs: 100, retry: { delayMs: 60, jitter: 0 } },
    );
    const request = ask(1);
    pass(50);
    await settled();
    expect([request.ended?.code, pool.stats().retries]).to.deep.equal(['E_WORKER_LOST', 0]);
  });

  it('whose answer is lost is tried again after attemptTimeoutMs, and the late answer is nobody’s (P7)', async () => {
    const { pool, pass, ask } = setUp(
      { act: ({ life, nth }) => (life === 0 && nth === 0 ? { ms: 230 } : { ms: 5 }), shares: false },
      { attemptTimeoutMs: 200 },
    );
    const request = ask(1);
    pass();
    await settled();
    expect(request.ended?.outputs?.['y'].toArray()).to.equal(2);
    expect(request.endings).to.equal(1);
    expect(pool.stats()).to.include({ retries: 1, successful: 1, replaced: 0, timeouts: 0 });
    const silent = setUp({ act: ({ life }) => ({ ms: 5, how: life < 1 ? 'silence' : 'answer' }) }, { attemptTimeoutMs: 200 });
    const other = silent.ask(2);
    silent.pass();
    await settled();
    expect([other.ended?.outputs?.['y'].toArray(), silent.pool.stats().replaced]).to.deep.equal([4, 1]);
  });

  it('that fails by itself is not tried again, and keeps its error: code, node and words', async () => {
    const g = graph({ x: input(['n']), y: input(['n']) }, ({ x, y }) => ({ z: mul(x, y) }));
    const { pool } = setUp({});
    const request = follow(pool, g, { x: [1, 2], y: [1, 2, 3] });
    await settled();
    expect(request.ended?.code).to.equal('E_FEED');
    expect(pool.stats()).to.include({ submitted: 1, failed: 1, retries: 0 });
  });
});
