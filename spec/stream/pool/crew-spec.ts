/** @file Workers of a pool come and go in virtual time: starts that fail, losses, spares, and no storm of starts. */
import { expect } from 'chai';
import { graph, input, mul, type Diagnostic, type PoolOptions } from '../../../src/index.js';
import { follow, settled } from '../../support/poolLedger.js';
import { scriptedPool, type Script } from '../../support/scriptedWorkers.js';

const doubled = graph({ x: input([]) }, ({ x }) => ({ y: mul(x, 2) }));
const setUp = (script: Script, options: PoolOptions = {}) => {
  const made = scriptedPool(script, options);
  return { ...made, ask: (x: number) => follow(made.pool, doubled, { x }) };
};

describe('workers', () => {
  it('that are lost all at once are started again, and the line is kept (P11)', async () => {
    const { pool, pass, ask, lives } = setUp({ act: () => ({ ms: 10 }), startMs: 80 });
    pass(80);
    const all = Array.from({ length: 10 }, (_, x) => ask(x));
    pass(5);
    lives.slice(0, 2).forEach(({ die }) => die());
    expect(pool.stats()).to.include({ health: 'down', queued: 8, inFlight: 10 });
    pass(80);
    expect(pool.stats().health).to.equal('ready');
    pass();
    await settled();
    expect(all.map(({ ended }) => ended?.outputs?.['y'].toArray())).to.deep.equal(all.map((_, x) => 2 * x));
    expect(pool.stats()).to.include({ lost: 2, retries: 2, successful: 10 });
  });

  it('that do not start are tried ever less often, and the pool lives with those it has (P12)', async () => {
    const starts: number[] = [];
    let now = (): number => 0;
    const { pool, pass, ask, time } = setUp({
      fails: (life) => {
        starts.push(now());
        return life > 0;
      },
    });
    now = () => time.frame;
    expect(pool.stats().health).to.equal('degraded');
    const request = ask(1);
    await settled();
    expect(request.ended?.outputs?.['y'].toArray()).to.equal(2);
    pass(60_000);
    const second = (from: number) => starts.filter((at) => at >= from && at < from + 1000).length;
    expect(Math.max(...starts.map(second))).to.be.at.most(5);
    expect(starts.slice(2)).to.deep.equal([250, 750, 1750, 3750, 7750, 15_750, 31_750]);
  });

  it('that all fail to start again leave those who wait with E_WORKER_LOST, not for ever', async () => {
    const { pool, pass, ask, lives } = setUp({ fails: (life) => life > 1, act: () => ({ ms: 10 }) });
    const all = [ask(1), ask(2), ask(3)];
    lives.forEach(({ die }) => die());
    pass(2000);
    await settled();
    expect(all.map(({ ended }) => ended?.code)).to.deep.equal(['E_WORKER_LOST', 'E_WORKER_LOST', 'E_WORKER_LOST']);
    expect((all[2].ended?.error as Error).message).to.match(/a worker must start; got spawn EAGAIN/);
    expect(pool.stats()).to.include({ health: 'down', failed: 3 });
  });

  it('that never come up count as failed after startMs', () => {
    const { pool, pass, lives } = setUp({ startMs: 1e6 }, { startMs: 1000 });
    pass(999);
    expect([pool.stats().health, lives.length]).to.deep.equal(['down', 2]);
    pass(2000);
    expect([lives[0].isEnded, lives[1].isEnded, lives.length > 2]).to.deep.equal([true, true, true]);
  });

  it('that die idle, again and again, are not started in a loop', () => {
    const { pass, lives, time } = setUp({}, { workers: 1 });
    for (let k = 0; k < 20; k++) {
      lives.at(-1)!.die();
      pass(100);
    }
    expect(lives.length).to.be.within(4, 9);
    expect(time.frame).to.equal(2000);
  });

  it('that are spare take over at once, and never compute beside all others', async () => {
    const { pool, pass, ask, lives } = setUp({ act: () => ({ ms: 10 }), startMs: 80 }, { workers: 1, spares: 1 });
    pass(80);
    const [first, second] = [ask(1), ask(2)];
    expect(pool.stats()).to.include({ running: 1, queued: 1 });
    pass(5);
    lives[0].die();
    expect(pool.stats()).to.include({ running: 1, health: 'ready' });
    pass(30);
    await settled();
    expect([first.ended?.outputs, second.ended?.outputs].map((each) => each?.['y'].toArray())).to.deep.equal([2, 4]);
    expect(pool.stats().peakConcurrent).to.equal(1);
  });

  it('that are spare have answered what a lost one held before another is started, which keeps this thread for a while (L4)', async () => {
    const started: number[] = [];
    let starts = (): number => 0;
    const { pool, pass, ask, lives } = setUp(
      { act: () => (started.push(starts()), { ms: 10 }) },
      { workers: 1, spares: 1, retry: { delayMs: 20 } },
    );
    starts = () => lives.length;
    const request = ask(1);
    lives[0].die();
    pass(19);
    expect([started, lives.length, pool.stats().health]).to.deep.equal([[2], 2, 'ready']);
    pass(1);
    expect(started).to.deep.equal([2, 2]);
    pass(10);
    await settled();
    expect([request.ended?.outputs?.['y'].toArray(), lives.length]).to.deep.equal([2, 2]);
    pass(10);
    expect(lives.length).to.equal(3);
    await pool.close();
    expect(lives.length).to.equal(3);
  });

  it('that are not started yet are started at once when nobody is left, and never after the end', async () => {
    const inUse = (workers: number) => {
      const asking = setUp({ act: () => ({ ms: 1 }), startMs: 80 }, { workers, retry: { delayMs: 20 } });
      asking.pass(80);
      for (let k = 0; k < workers; k++) void asking.ask(k);
      asking.pass(1);
      return asking;
    };
    const { pool, lives } = inUse(3);
    lives.slice(0, 2).forEach(({ die }) => die());
    expect([lives.length, pool.stats().health]).to.deep.equal([3, 'degraded']);
    lives[2].die();
    expect([lives.length, pool.stats().health]).to.deep.equal([6, 'down']);

    const closing = inUse(2);
    closing.lives[0].die();
    await closing.pool.close();
    closing.pass();
    expect([closing.lives.length, closing.time.actions.length]).to.deep.equal([2, 0]);
  });

  it('that answer nonsense are not trusted again: E_KERNEL after all attempts, by fresh workers (P8)', async () => {
    const nonsense: readonly ((reply: { outputs?: { arrays: unknown[] } }) => unknown)[] = [
      () => ({ kind: 'done' }),
      () => 'hello',
      (reply) => ({ ...reply, outputs: undefined }),
      (reply) => ({ ...reply, outputs: { ...reply.outputs, names: ['z'] } }),
      (reply) => ({ ...reply, outputs: { ...reply.outputs, dtypes: ['int32'] } }),
      (reply) => ({ ...reply, outputs: { ...reply.outputs, shapes: [[2]] } }),
      (reply) => ({ ...reply, outputs: { ...reply.outputs, arrays: [new Float32Array(2)] } }),
      (reply) => ({ ...reply, outputs: { ...reply.outputs, arrays: [new Float64Array(1)] } }),
      (reply) => ({ ...reply, outputs: { ...reply.outputs, arrays: [[1]] } }),
      (reply) => {
        const array = new Float32Array(1);
        structuredClone(array, { transfer: [array.buffer] });
        return { ...reply, outputs: { ...reply.outputs, arrays: [array] } };
      },
      (reply) => ({ ...reply, kind: 'failed', error: { code: 'E_NONSENSE' } }),
    ];
    for (const [index, how] of nonsense.entries()) {
      const { pool, pass, ask, lives } = setUp({ act: () => ({ ms: 1, how: how as never }) }, { circuit: { losses: 9 } });
      const request = ask(1);
      pass();
      await settled();
      expect(request.ended?.code, String(index)).to.equal('E_KERNEL');
      expect(request.ended?.error).to.have.property('attempt', 3);
      expect(pool.stats()).to.include({ quarantined: 3, lost: 0, successful: 0, failed: 1 });
      expect(lives.filter(({ isEnded }) => isEnded)).to.have.length(3);
    }
  });

  it('whose answers nobody asked for are counted, and heard no more (P6)', async () => {
    const { pool, pass, ask, lives } = setUp({ act: () => ({ ms: 1, how: 'twice' }) }, { workers: 1 });
    const request = ask(1);
    pass();
    await settled();
    expect([request.endings, pool.stats().strays]).to.deep.equal([1, 1]);
    lives[0].say({ kind: 'done', run: 77, outputs: {} });
    lives[0].say({ kind: 'failed', run: 78, error: {} });
    expect(pool.stats()).to.include({ strays: 3, successful: 1, failed: 0, health: 'ready' });
  });
});

describe('this thread in place of workers (P11) (P18)', () => {
  it('computes while none is there, says so once, and marks what it computed, nothing else', async () => {
    const heard: Diagnostic[] = [];
    const { pool, pass, ask, lives } = setUp(
      { act: () => ({ ms: 10 }), startMs: 80 },
      { degrade: 'inProcess', onDiagnostic: (diagnostic) => void heard.push(diagnostic) },
    );
    pass(80);
    const before = ask(1);
    pass(10);
    lives.slice(0, 2).forEach(({ die }) => die());
    const during = [ask(2), ask(3)];
    pass(1);
    await settled();
    expect(during.map(({ ended }) => ended?.outputs?.['y'].toArray())).to.deep.equal([4, 6]);
    pass(200);
    const after = ask(4);
    pass(10);
    await settled();
    const marks = [before, ...during, after].map(({ ended }) => pool.isDegraded(ended!.outputs!));
    expect(marks).to.deep.equal([false, true, true, false]);
    expect(pool.stats()).to.include({ degraded: 2, successful: 4, health: 'ready' });
    expect(heard.filter(({ place }) => place === 'degrade')).to.have.length(1);
    expect(heard.every(({ severity }) => severity === 'warning')).to.equal(true);
  });

  it('gives up what is cancelled before its turn, and fails as a worker would', async () => {
    const { pool, pass, ask } = setUp({ fails: () => true }, { degrade: 'inProcess' });
    const [cancelled, kept] = [ask(1), ask(2)];
    cancelled.cancel('no');
    pass(1);
    await settled();
    expect([cancelled.ended?.error, kept.ended?.outputs?.['y'].toArray()]).to.deep.equal(['no', 4]);
    expect(pool.stats().degraded).to.equal(1);
  });
});
