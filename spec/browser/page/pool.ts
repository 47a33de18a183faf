/**
 * @file A pool on a page: its workers compute beside the main thread, are stopped or replaced, and cannot be where none may start.
 */
import { expect } from 'chai';
import {
  evaluateSync,
  executorPool,
  graph,
  input,
  matmul,
  param,
  tensor,
  type EinstreamError,
  type ExecutorPool,
} from '../../../src/index.js';
import { differentBits } from '../../support/sameBits.js';
import { finds } from './finds.js';

const SIZE = 200;
const w = tensor(
  Float32Array.from({ length: SIZE * SIZE }, (_, i) => Math.sin(i)),
  { shape: [SIZE, SIZE] },
);
const g = graph({ x: input(['n', SIZE]), w: param(w) }, ({ x, w: weights }) => ({ y: matmul(x, weights) }));
/** Seconds of work in many nodes. */
const long = graph({ x: input([SIZE, SIZE]), w: input([SIZE, SIZE]) }, ({ x, w: weights }) => {
  let y = x;
  for (let k = 0; k < 2000; k++) y = matmul(y, weights);
  return { y };
});
const errorOf = (promise: Promise<unknown>): Promise<EinstreamError> =>
  promise.then(
    () => expect.fail('it was answered'),
    (error: unknown) => error as EinstreamError,
  );

describe('a pool on this page', () => {
  if (finds.noThreads === 'a worker did not start')
    return void it('is refused, as no worker may start', async () => {
      const error = await errorOf(executorPool({ workers: 1, startMs: 5000 }));
      expect(error.code).to.equal('E_WORKER_LOST');
    });

  let pool: ExecutorPool;
  before(async () => {
    pool = await executorPool({ workers: 1, backend: 'js' });
  });
  after(() => pool.close({ mode: 'abort' }));

  it('answers as this thread does, to the last bit', async () => {
    const x = tensor(
      Float32Array.from({ length: 2 * SIZE }, (_, i) => Math.cos(i)),
      { shape: [2, SIZE] },
    );
    const [there, here] = [await pool.evaluate(g, { x }), evaluateSync(g, { x })];
    // The default backend of this thread may sum in another order.
    if (finds.wasm) expect(there.y.shape).to.deep.equal(here.y.shape);
    else expect(differentBits(there.y, here.y)).to.equal(undefined);
    expect((await pool.evaluate(g, { x })).y.toArray()).to.deep.equal(there.y.toArray());
  });

  it('goes on after a run was cancelled: its worker stops, or is replaced where no memory is shared', async () => {
    const run = pool.evaluate(long, { x: w, w });
    await new Promise((resolve) => setTimeout(resolve, 50));
    run.cancel('enough');
    expect(await errorOf(run)).to.equal('enough');
    const { y } = await pool.evaluate(g, { x: w });
    expect(y.shape).to.deep.equal([SIZE, SIZE]);
    expect(pool.stats()).to.include({ cancelled: 1, inFlight: 0 });
    if (!finds.isolated) expect(pool.stats().replaced).to.equal(1);
  });

  it('has no processes', async () => {
    expect((await errorOf(executorPool({ kind: 'process' }))).code).to.equal('E_BACKEND');
  });
});
