/** @file Several executors as one: who gets the work, and what happens when one of them cannot do it (F025). */
import { expect } from 'chai';
import { BehaviorSubject, VirtualTimeScheduler, map, of, toArray, lastValueFrom } from 'rxjs';
import {
  EinstreamError,
  balance,
  evaluate,
  graph,
  input,
  mul,
  type Feeds,
  type Graph,
  type GraphExecutor,
  type Outputs,
} from '../../../src/index.js';
import { fault, type ErrorCode } from '../../../src/errors/index.js';
import { expectBalanced, follow, settled } from '../../support/poolLedger.js';
import { scriptedPool } from '../../support/scriptedWorkers.js';
import { thrownBy } from '../../support/thrownBy.js';

const doubled = graph({ x: input([]) }, ({ x }) => ({ y: mul(x, 2) }));

/** An executor whose answers are given by hand. */
class ByHand implements GraphExecutor {
  readonly calls: {
    readonly done: () => void;
    readonly fail: (error: unknown) => void;
    readonly signal: AbortSignal | undefined;
  }[] = [];
  closed = 0;

  evaluate(g: Graph, feeds: Feeds, { signal }: { readonly signal?: AbortSignal } = {}): Promise<Outputs> {
    return new Promise((resolve, reject) => {
      this.calls.push({ done: () => void evaluate(g, feeds).then(resolve, reject), fail: reject, signal });
    });
  }

  close(): Promise<void> {
    this.closed++;
    return Promise.resolve();
  }
}
const lost = (code: ErrorCode = 'E_WORKER_LOST'): EinstreamError => fault(code, { place: 'by hand', rule: 'it is gone' });
const made = (count: number): ByHand[] => Array.from({ length: count }, () => new ByHand());
const loads = (executors: readonly ByHand[]): readonly number[] => executors.map(({ calls }) => calls.length);

/** Lets so many milliseconds pass. */
function clock(): { readonly scheduler: VirtualTimeScheduler; readonly pass: (ms: number) => void } {
  const scheduler = new VirtualTimeScheduler();
  const pass = (ms: number): void => {
    scheduler.maxFrames = scheduler.frame + ms;
    scheduler.flush();
    scheduler.frame = scheduler.maxFrames;
  };
  return { scheduler, pass };
}

describe('balance', () => {
  it('gives four executors four jobs at once, one to each, and the fifth to whoever has least to do', async () => {
    const executors = made(4);
    const pool = balance(executors);
    const all = [1, 2, 3, 4].map((x) => follow(pool, doubled, { x }));
    expect(loads(executors)).to.deep.equal([1, 1, 1, 1]);
    executors[2].calls[0].done();
    await settled();
    all.push(follow(pool, doubled, { x: 5 }));
    expect(loads(executors)).to.deep.equal([1, 1, 2, 1]);
    executors.forEach(({ calls }) => calls.forEach(({ done }) => done()));
    await settled();
    expect(all.map(({ ended }) => ended?.outputs?.['y'].toArray())).to.deep.equal([2, 4, 6, 8, 10]);
    expect(pool.stats()).to.include({ successful: 5, peakConcurrent: 4 });
    expectBalanced(pool);
  });

  it('goes round where asked to, whatever they have to do', () => {
    const executors = made(3);
    const pool = balance(executors, { strategy: 'roundRobin' });
    for (let x = 0; x < 7; x++) void follow(pool, doubled, { x });
    expect(loads(executors)).to.deep.equal([3, 2, 2]);
  });

  it('gives one executor at most `concurrency` runs; the rest waits, in bounds', async () => {
    const executors = made(2);
    const pool = balance(executors, { concurrency: 1, maxQueue: 1 });
    const all = [1, 2, 3, 4].map((x) => follow(pool, doubled, { x }));
    expect([loads(executors), pool.stats().queued]).to.deep.equal([[1, 1], 1]);
    await settled();
    expect(all[3].ended?.code).to.equal('E_QUEUE_FULL');
  });

  it('tries what one could not serve once more, elsewhere; a dead one rests, and gets no work meanwhile', async () => {
    const executors = made(2);
    const { scheduler, pass } = clock();
    const pool = balance(executors, { strategy: 'leastLoaded', scheduler });
    const first = follow(pool, doubled, { x: 1 });
    executors[0].calls[0].fail(lost());
    await settled();
    pass(0);
    expect(loads(executors)).to.deep.equal([1, 1]);
    executors[1].calls[0].done();
    await settled();
    expect(first.ended?.outputs?.['y'].toArray()).to.equal(2);
    for (let x = 0; x < 3; x++) void follow(pool, doubled, { x });
    expect(loads(executors)).to.deep.equal([1, 4]);
    pass(249);
    void follow(pool, doubled, { x: 8 });
    expect(loads(executors)).to.deep.equal([1, 5]);
    pass(1);
    void follow(pool, doubled, { x: 9 });
    expect(loads(executors)).to.deep.equal([2, 5]);
    await pool.close({ mode: 'abort' });
  });

  it('does not try a third time, nor again what fails by itself', async () => {
    const executors = made(3);
    const { scheduler, pass } = clock();
    const pool = balance(executors, { scheduler });
    const twice = follow(pool, doubled, { x: 1 });
    executors[0].calls[0].fail(lost());
    await settled();
    pass(0);
    executors.find(({ calls }, at) => at > 0 && calls.length > 0)!.calls[0].fail(lost('E_BACKEND_LOST'));
    await settled();
    expect([twice.ended?.code, loads(executors).reduce((a, b) => a + b)]).to.deep.equal(['E_BACKEND_LOST', 2]);
    const [other] = made(1);
    const once = follow(balance([other, ...made(1)]), doubled, { x: 1 });
    const own = new Error('of its own');
    other.calls[0].fail(own);
    await settled();
    expect(once.ended?.error).to.equal(own);
    await pool.close({ mode: 'abort' });
  });

  it('passes over one that is not ready, and takes what it held elsewhere', async () => {
    const [slow, quick] = made(2);
    const ready$ = new BehaviorSubject(false);
    const { scheduler, pass } = clock();
    const pool = balance([Object.assign(slow, { ready$ }), quick], { scheduler });
    expect(pool.stats()).to.include({ health: 'degraded' });
    void follow(pool, doubled, { x: 1 });
    void follow(pool, doubled, { x: 2 });
    expect(loads([slow, quick])).to.deep.equal([0, 2]);
    ready$.next(true);
    const held = follow(pool, doubled, { x: 3 });
    expect([loads([slow, quick]), pool.stats().health]).to.deep.equal([[1, 2], 'ready']);
    ready$.next(false);
    pass(0);
    expect(loads([slow, quick])).to.deep.equal([1, 3]);
    quick.calls.forEach(({ done }) => done());
    await settled();
    expect(held.ended?.outputs?.['y'].toArray()).to.equal(6);
    slow.calls[0].done();
    await settled();
    expect(pool.stats()).to.include({ strays: 1, successful: 3 });
    await pool.close({ mode: 'abort' });
  });

  it('cancels through to the executor, by its signal', async () => {
    const [one] = made(1);
    const pool = balance([one]);
    const request = follow(pool, doubled, { x: 1 });
    request.cancel('enough');
    await settled();
    expect([request.ended?.error, one.calls[0].signal?.aborted]).to.deep.equal(['enough', true]);
  });

  it('closes its executors: drained, or aborted', async () => {
    for (const mode of ['drain', 'abort'] as const) {
      const executors = made(2);
      const pool = balance(executors);
      const request = follow(pool, doubled, { x: 1 });
      const closed = pool.close({ mode });
      if (mode === 'drain') executors[0].calls[0].done();
      await closed;
      await settled();
      expect(request.ended?.code).to.equal(mode === 'drain' ? undefined : 'E_ABORT');
      expect(executors.map((each) => each.closed)).to.deep.equal([1, 1]);
    }
  });

  it('is over pools as over anything else, and is an operator as they are', async () => {
    const [a, b] = [scriptedPool().pool, scriptedPool().pool];
    const both = balance([a, b], { strategy: 'roundRobin' });
    const outputs = await lastValueFrom(
      of(1, 2, 3, 4).pipe(
        map((x) => ({ x })),
        both.run(doubled),
        map(({ y }) => y.toArray()),
        toArray(),
      ),
    );
    expect(outputs).to.deep.equal([2, 4, 6, 8]);
    expect([a, b].map((pool) => pool.stats().successful)).to.deep.equal([2, 2]);
    await both.close();
    expect([a, b].map((pool) => pool.stats().health)).to.deep.equal(['closed', 'closed']);
  });

  it('of nobody, or of what is no executor, is E_ARGUMENT', () => {
    for (const wrong of [[], undefined, [{}], [null], [{ evaluate: 3 }]])
      expect(thrownBy(() => balance(wrong as never)).code).to.equal('E_ARGUMENT');
    expect(thrownBy(() => balance(made(1), { strategy: 'fastest' as never })).code).to.equal('E_ARGUMENT');
    expect(thrownBy(() => balance(made(1), { graceMs: 3 } as never)).code).to.equal('E_ARGUMENT');
  });
});
