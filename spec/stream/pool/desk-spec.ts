/** @file Requests of a pool in virtual time: the line, deadlines, losses, retries, and a ledger that is right at every moment. */
import { expect } from 'chai';
import fc from 'fast-check';
import { executorPool, graph, input, mul, type PoolOptions } from '../../../src/index.js';
import { expectBalanced, follow, settled, type Followed } from '../../support/poolLedger.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { scriptedPool, type Act, type Script } from '../../support/scriptedWorkers.js';

const doubled = graph({ x: input([]) }, ({ x }) => ({ y: mul(x, 2) }));
const tripled = graph({ x: input([]) }, ({ x }) => ({ y: mul(x, 3) }));

const setUp = (script: Script, options: PoolOptions = {}) => {
  const made = scriptedPool(script, options);
  const ask = (x: number, how?: Parameters<typeof follow>[3]): Followed => follow(made.pool, doubled, { x }, how);
  return { ...made, ask };
};
const codes = (all: readonly Followed[]) => all.map(({ ended }) => ended?.code ?? (ended?.outputs ? 'answer' : undefined));

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

describe('a graph that takes its workers with it (P10)', () => {
  const poison: Script = { act: ({ feeds }) => ({ ms: 1, how: feeds['x'].toArray() === 666 ? 'die' : 'answer' }) };

  it('fails after its attempts, while others are answered; then it is refused for a time, then tried once', async () => {
    const { pool, pass, ask } = setUp(poison, { retry: { delayMs: 1 } });
    const first = [ask(666), ask(666)];
    const healthy = Array.from({ length: 20 }, (_, x) => follow(pool, tripled, { x }));
    pass(400);
    await settled();
    expect(codes(first)).to.deep.equal(['E_WORKER_LOST', 'E_WORKER_LOST']);
    expect(codes(healthy).every((code) => code === 'answer')).to.equal(true);
    const lost = pool.stats().lost;
    expect(lost).to.be.within(5, 6);
    const refused = ask(1);
    await settled();
    expect((refused.ended?.error as Error).message).to.match(/^E?.*circuit.*refused for a time/);
    expect(pool.stats().lost).to.equal(lost);
    pass(1000);
    const [probe, beside] = [ask(1), ask(2)];
    await settled();
    expect(codes([beside])).to.deep.equal(['E_WORKER_LOST']);
    pass(10);
    await settled();
    expect(codes([probe])).to.deep.equal(['answer']);
    const after = ask(3);
    pass(10);
    await settled();
    expect(codes([after])).to.deep.equal(['answer']);
  });

  it('is refused again when the try fails', async () => {
    const { pool, pass, ask } = setUp(poison, { circuit: { losses: 2, resetMs: 500 }, retry: { attempts: 1 } });
    ask(666);
    pass(1);
    ask(666);
    pass(1);
    pass(500);
    const probe = ask(666);
    pass(1);
    const after = ask(1);
    await settled();
    expect(codes([probe, after])).to.deep.equal(['E_WORKER_LOST', 'E_WORKER_LOST']);
    expect(pool.stats().lost).to.equal(3);
  });
});

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

describe('a slow worker', () => {
  it('a hundred times slower gets a hundredth of the work, about: the least loaded is asked (P13)', async () => {
    const { pool, pass, ask } = setUp({ act: ({ life }) => ({ ms: life === 0 ? 100 : 1 }) });
    for (let k = 0; k < 1000; k++) ask(k);
    pass();
    await settled();
    const [slow, quick] = pool.stats().workers.map(({ answered }) => answered);
    expect([slow + quick, slow <= 12]).to.deep.equal([1000, true]);
  });
});

describe('the ledger', () => {
  it('counts times on the injected clock (F026)', async () => {
    const { pool, pass, ask } = setUp({ act: () => ({ ms: 10 }) }, { workers: 1 });
    for (const x of [1, 2, 3]) void ask(x);
    pass();
    await settled();
    expect(pool.stats()).to.include({ avgExecutionMs: 10, avgQueueTimeMs: 10, totalExecutions: 3, peakConcurrent: 1 });
  });

  it('is balanced at every moment, and each request ends once, whatever workers do (P6) (P14)', async () => {
    const act = fc.record<Act>({
      ms: fc.integer({ min: 0, max: 30 }),
      how: fc.constantFrom('answer', 'answer', 'answer', 'die', 'silence', 'twice', 'oom'),
      tileMs: fc.constantFrom(1, 1000),
    });
    const step = fc.record({ kind: fc.constantFrom('ask', 'ask', 'ask', 'cancel', 'pass'), n: fc.nat(40) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(act, { minLength: 1, maxLength: 12 }),
        fc.array(step, { maxLength: 60 }),
        fc.boolean(),
        async (acts, steps, shares) => {
          let at = 0;
          const { pool, pass, ask } = setUp(
            { act: () => acts[at++ % acts.length], shares, startMs: 3 },
            { timeoutMs: 200, attemptTimeoutMs: 60, maxQueue: 10, retry: { delayMs: 5 } },
          );
          const all: Followed[] = [];
          for (const { kind, n } of steps) {
            if (kind === 'ask') all.push(ask(n));
            else if (kind === 'cancel' && all.length > 0) all[n % all.length].cancel();
            else pass(n);
            expectBalanced(pool);
          }
          pass(500);
          await settled();
          expect(all.map(({ endings }) => endings)).to.deep.equal(all.map(() => 1));
          expect(pool.stats()).to.include({ inFlight: 0, submitted: all.length, queued: 0, queuedBytes: 0 });
          pass();
          expect(pool.stats().running).to.equal(0);
        },
      ),
      { numRuns: propertyRuns(30, 2000, 20_000), seed: propertySeed() },
    );
  });
});

describe('cancelling (P14) (F027)', () => {
  it('before its turn never starts it; running, its worker stops at the next tile, or is replaced', async () => {
    let started = 0;
    const tiled = setUp({ act: () => (started++, { ms: 1000, tileMs: 2 }) }, { workers: 1 });
    const [running, waiting] = [tiled.ask(1), tiled.ask(2)];
    waiting.cancel('not wanted');
    running.cancel('nor this');
    await settled();
    expect([running.ended?.error, waiting.ended?.error]).to.deep.equal(['nor this', 'not wanted']);
    tiled.pass(2);
    expect(tiled.pool.stats()).to.include({ running: 0, replaced: 0, cancelled: 2 });
    tiled.pass();
    expect([started, tiled.lives.length]).to.deep.equal([1, 1]);

    const stubborn = setUp({ act: () => ({ ms: 1000 }) }, { workers: 1 });
    const run = stubborn.ask(1);
    run.cancel();
    stubborn.pass(49);
    expect(stubborn.pool.stats()).to.include({ running: 1, replaced: 0 });
    stubborn.pass(1);
    expect(stubborn.pool.stats()).to.include({ running: 0, replaced: 1, lost: 0 });
    await settled();
    expect(run.ended?.code).to.equal('E_ABORT');
  });

  it('again, and after the end, does nothing', async () => {
    const { pool, pass, ask } = setUp({ act: () => ({ ms: 1 }) });
    const request = ask(1);
    pass();
    await settled();
    request.cancel();
    request.cancel();
    await settled();
    expect([request.endings, pool.stats().cancelled]).to.deep.equal([1, 0]);
  });

  it('at random, queued and running: nothing that was cancelled in the line ever starts', async () => {
    const begun = new Set<unknown>();
    const { pool, pass, ask } = setUp(
      {
        act({ feeds }) {
          begun.add(feeds['x'].toArray());
          return { ms: 3, tileMs: 1 };
        },
      },
      { maxQueue: Infinity },
    );
    const count = propertyRuns(1000, 100_000, 100_000);
    let random = propertySeed();
    const next = (): number => (random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
    const all = Array.from({ length: count }, (_, x) => ask(x));
    const cancelled = new Set<number>();
    for (let k = 0; k < count; k++) {
      const at = Math.floor(next() * count);
      if (begun.has(at) || all[at].ended !== undefined) continue;
      cancelled.add(at);
      all[at].cancel();
    }
    pass();
    await settled();
    expect([...cancelled].filter((at) => begun.has(at))).to.deep.equal([]);
    expect(all.every(({ endings }) => endings === 1)).to.equal(true);
    expect(pool.stats()).to.include({ cancelled: cancelled.size, successful: count - cancelled.size, inFlight: 0 });
  });
});

describe('options of a pool', () => {
  const refusalOf = (options: object): Promise<unknown> =>
    executorPool(options as PoolOptions).then(
      () => 'none',
      (error: unknown) => error,
    );

  it('that are unknown or out of range are E_ARGUMENT', async () => {
    const wrong: readonly object[] = [
      { workers: 0 },
      { workers: 1.5 },
      { maxQueue: -1 },
      { timeoutMs: NaN },
      { kind: 'fibre' },
      { backend: 'gpu' },
      { retry: { attempts: 0 } },
      { retry: { tries: 3 } },
      { circuit: { losses: 0 } },
      { memoryMb: Infinity },
      { degrade: 'always' },
      { clock: 3 },
      { scheduler: {} },
      { sript: 'x' },
      { script: 3 },
    ];
    for (const options of wrong) {
      const error = await refusalOf(options);
      expect(error, JSON.stringify(options)).to.have.property('code', 'E_ARGUMENT');
    }
  });
});
