/** @file Recovery and checkpoints by the facade (F064) (F069) (F070). */
import { expect } from 'chai';
import {
  add,
  executor,
  graph,
  input,
  js,
  memoryStore,
  mul,
  named,
  RetryPolicy,
  tensor,
  type Backend,
  type EinstreamError,
  type RecoveryResult,
  type Tensor,
} from '../../src/index.js';
import { virtually } from '../support/marbles.js';

const g = graph({ x: input([2]) }, ({ x }) => ({ y: named('y', mul(x, 2)), z: named('z', add(x, 1)) }));
const feeds = { x: [1, 2] };

/** Its first kernels fail, as many as are `left`. */
function flaky(left: number): Backend {
  const inner = js();
  return {
    ...inner,
    name: 'flaky',
    compile(ir) {
      const kernel = inner.compile(ir);
      const run: typeof kernel.run = (inputs, outputs) => {
        if (left-- > 0) throw new Error('a bad moment');
        return kernel.run(inputs, outputs);
      };
      return { ...kernel, run };
    },
  };
}

/** The result, once virtual time has passed all waits. */
async function recovered(left: number, config: Parameters<ReturnType<typeof executor>['executeWithRecovery']>[2]) {
  let result!: Promise<RecoveryResult<{ readonly y: unknown; readonly z: unknown }>>;
  virtually(({ flush }) => {
    const engine = executor({ backend: flaky(left), fallback: 'never', level: 'none' });
    result = engine.executeWithRecovery(g, feeds, config);
    flush();
  });
  return result;
}

describe('executor.executeWithRecovery (F064)', () => {
  it('retries, leaves out what cannot be had, and gives a failure as a result', async () => {
    const success = await recovered(2, { retryPolicy: RetryPolicy.exponential(3, 100) });
    expect([success.kind, success.stats.retries, success.stats.executionMs]).to.deep.equal(['success', 2, 300]);
    const some = await recovered(1, { strategy: 'partialResults', retryPolicy: RetryPolicy.new(0) });
    if (some.kind !== 'partialSuccess') throw new Error(some.kind);
    expect([some.failedNodes.map(({ node }) => node), Object.keys(some.outputs)]).to.deep.equal([['y'], ['z']]);
    const failure = await recovered(9, { strategy: 'failFast' });
    expect(failure.kind).to.equal('failure');
  });

  it('is a promise that can be cancelled: what waits to be tried again never is', async () => {
    const promised = executor({ backend: flaky(1), fallback: 'never' }).executeWithRecovery(g, feeds);
    promised.cancel();
    expect(await promised.catch(({ code }: EinstreamError) => code)).to.equal('E_ABORT');
    const reason = new Error('enough');
    const late = executor().executeWithRecovery(g, feeds, {}, { signal: AbortSignal.abort(reason) });
    expect(await late.catch((error: unknown) => error)).to.equal(reason);
  });
});

describe('executor.saveCheckpoint and loadCheckpoint (F069) (F070)', () => {
  it('keep a program’s state in a store, the newest last', async () => {
    const engine = executor();
    const store = memoryStore();
    expect(await engine.loadCheckpoint(store)).to.equal(undefined);
    const ids = [];
    for (const step of [1, 2, 3]) ids.push(await engine.saveCheckpoint(store, { step, w: tensor([step]) }));
    const newest = await engine.loadCheckpoint(store);
    expect([newest!['step'], (newest!['w'] as Tensor).toArray()]).to.deep.equal([3, [3]]);
    expect(await store.list()).to.deep.equal(ids.slice(-2));
    await engine.saveCheckpoint(store, { step: 4 }, { keep: 1 });
    expect(await store.list()).to.have.length(1);
  });
});
