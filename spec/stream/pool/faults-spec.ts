/** @file Real workers that really fail: exits, endless kernels, memory; threads and processes. */
import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import {
  EinstreamError,
  concat,
  executorPool,
  full,
  graph,
  input,
  mul,
  neg,
  ones,
  type ExecutorPool,
  type PoolOptions,
} from '../../../src/index.js';
import { buildScript, bundled } from '../../support/builtPool.js';
import { DEEDS } from '../../support/children/deeds.js';
import { isLarge } from '../../support/property.js';
import { runProcess } from '../../support/runProcess.js';

const doubled = graph({ x: input(['n']) }, ({ x }) => ({ y: mul(x, 2) }));
const negated = graph({ x: input(['n']) }, ({ x }) => ({ y: neg(x) }));

describe('real workers', function () {
  this.timeout(60_000);
  let script: ReturnType<typeof buildScript>;
  before(() => {
    script = buildScript('spec/support/children/wildWorker.ts');
  });
  after(() => script.remove());

  const withPool = async (options: PoolOptions, use: (pool: ExecutorPool) => Promise<void>): Promise<void> => {
    const pool = await executorPool({ workers: 2, script: script.url, ...options });
    try {
      await use(pool);
    } finally {
      await pool.close({ mode: 'abort' });
    }
  };
  const errorOf = (promise: Promise<unknown>): Promise<EinstreamError> =>
    promise.then(
      () => expect.fail('it was answered'),
      (error: unknown) => error as EinstreamError,
    );
  /** It answers still, and has all its workers. */
  const expectWhole = async (pool: ExecutorPool): Promise<void> => {
    const answers = await Promise.all([1, 2, 3, 4].map((x) => pool.evaluate(negated, { x: [x] })));
    expect(answers.map(({ y }) => y.toArray())).to.deep.equal([[-1], [-2], [-3], [-4]]);
    const isWhole = (): boolean => pool.stats().health === 'ready' && pool.stats().running === 0;
    for (let turn = 0; turn < 3000 && !isWhole(); turn++) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(pool.stats()).to.include({ health: 'ready', inFlight: 0, running: 0 });
  };

  for (const kind of isLarge() ? (['thread', 'process'] as const) : (['thread'] as const))
    describe(`of kind ${kind}`, () => {
      it('that exit are replaced; the request is tried on others, then fails with E_WORKER_LOST and the code (P2)', () =>
        withPool({ kind, retry: { attempts: 2 } }, async (pool) => {
          const error = await errorOf(pool.evaluate(doubled, { x: [DEEDS.exit] }));
          expect([error.code, error.attempt]).to.deep.equal(['E_WORKER_LOST', 2]);
          expect(error.message).to.match(/code 7/);
          expect(pool.stats()).to.include({ lost: 2, retries: 1, failed: 1 });
          await expectWhole(pool);
        }));

      const endless = isLarge() ? (['loop', 'wasmLoop', 'wait'] as const) : (['loop'] as const);
      for (const deed of endless)
        it(`that never end (${deed}) are stopped: E_TIMEOUT at the deadline, and the place is filled again (P5)`, () =>
          withPool({ kind }, async (pool) => {
            await pool.evaluate(doubled, { x: [1] });
            // A worker that had no processor time until the deadline never begins, and stays: then it is given longer.
            let timeouts = 0;
            for (let timeoutMs = 100; pool.stats().replaced === 0 && timeouts < 5; timeoutMs *= 4) {
              const began = performance.now();
              const error = await errorOf(pool.evaluate(doubled, { x: [DEEDS[deed]] }, { timeoutMs }));
              const told = performance.now() - began;
              expect([error.code, error.diagnostic.place]).to.deep.equal(['E_TIMEOUT', 'timeoutMs']);
              await expectWhole(pool);
              console.log(`      ${kind}, ${deed}: told after ${told.toFixed(0)} ms of ${timeoutMs}`);
              timeouts++;
            }
            expect(pool.stats()).to.include({ replaced: 1, timeouts });
          }));
    });

  // To fill a heap takes seconds.
  if (isLarge())
    it('whose heap is full end with E_OOM at the first attempt, as they would again, and are replaced (P3)', () =>
      withPool({ memoryMb: 32 }, async (pool) => {
        const error = await errorOf(pool.evaluate(doubled, { x: [DEEDS.fillHeap] }));
        expect(error.code).to.equal('E_OOM');
        expect(error.message).to.match(/heap.*32 MiB/);
        expect(pool.stats()).to.include({ retries: 0, lost: 1 });
        await expectWhole(pool);
      }));

  it('refuse a run whose tensors are more than memoryMb, before any is allocated (P4)', () =>
    withPool({ memoryMb: 32 }, async (pool) => {
      const grown = graph({ x: input(['n']) }, ({ x }) => ({ y: concat(Array.from({ length: 64 }, () => x)) }));
      const before = process.memoryUsage().rss;
      const error = await errorOf(
        pool.evaluate(grown, { x: new Float32Array(2 ** 18) }).catch(() => pool.evaluate(grown, { x: ones([2 ** 18]) })),
      );
      expect(error.code).to.equal('E_OOM');
      expect(error.message).to.match(/memoryMb.*at most 32 MiB.*got \d+ MiB/);
      expect(process.memoryUsage().rss - before).to.be.lessThan(64 * 2 ** 20);
      expect(pool.stats()).to.include({ lost: 0, health: 'ready' });
      await expectWhole(pool);
    }));

  if (isLarge())
    it('whose process may have no more memory fail alone, with a code, and the pool goes on (P4)', function () {
      if (!mayLimit(this)) return undefined;
      return withPool({ kind: 'process', workers: 1, retry: { attempts: 1 } }, async (pool) => {
        await pool.evaluate(doubled, { x: [1] });
        const { pid } = pool.stats().workers[0];
        // No page more than it has now, but for a few.
        const pages = Number(execFileSync('cat', [`/proc/${pid}/statm`], { encoding: 'utf8' }).split(' ')[0]);
        execFileSync('prlimit', [`--pid=${pid}`, `--as=${pages * 4096 + 2 ** 25}`]);
        const before = process.memoryUsage().rss;
        const error = await errorOf(
          pool.evaluate(
            graph({ x: input(['n']) }, ({ x }) => ({ y: concat(Array.from({ length: 32 }, () => mul(x, 3))) })),
            { x: full([2 ** 20], 1) },
          ),
        );
        console.log(`      of a process without memory: ${error.code}`);
        expect(['E_OOM', 'E_WORKER_LOST']).to.include(error.code);
        expect(process.memoryUsage().rss - before).to.be.lessThan(128 * 2 ** 20);
        await expectWhole(pool);
      });
    });
});

/** Limits of processes are set by prlimit, and only root can set them for another user. */
function mayLimit(test: Mocha.Context): boolean {
  try {
    if (process.platform === 'linux' && process.getuid?.() === 0) {
      execFileSync('setpriv', ['--version']);
      execFileSync('prlimit', ['--version']);
      return true;
    }
  } catch {
    // Without the two programs it cannot be done either.
  }
  console.log('      skipped: limits need Linux, root, prlimit and setpriv');
  test.skip();
}

describe('workers that cannot start (P12)', function () {
  this.timeout(120_000);

  it('leave no pool: E_WORKER_LOST with the reason', async () => {
    for (const workers of [1, 2]) {
      const error = await executorPool({ workers, script: '/nowhere/worker.mjs' }).then(
        () => expect.fail('it started'),
        (thrown: unknown) => thrown as EinstreamError,
      );
      expect(error.code).to.equal('E_WORKER_LOST');
      expect(error.message).to.match(/nowhere/);
    }
  });

  if (isLarge())
    for (const kind of ['thread', 'process'])
      it(`of kind ${kind}, as the system has no more: requests end with E_WORKER_LOST, and nobody tries in a loop`, function () {
        if (!mayLimit(this)) return;
        const script = buildScript('spec/support/children/wildWorker.ts');
        const nobody = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, '--input-type=module', '-', kind];
        const { status, stdout, stderr } = runProcess('setpriv', nobody, {
          input: bundled('spec/support/children/noThreads.ts'),
          env: { POOL_WORKER: script.url.href },
          cwd: '/',
        });
        script.remove();
        expect(status, stderr).to.equal(0);
        const said = JSON.parse(stdout) as { readonly perSecond: number };
        console.log(`      ${kind}: ${stdout.trim()}`);
        expect(said).to.deep.include({
          codes: ['E_WORKER_LOST', 'E_WORKER_LOST'],
          later: 'E_WORKER_LOST',
          health: 'down',
          waited: true,
        });
        // Two that were lost, and starts.
        expect(said.perSecond).to.be.at.most(7);
      });
});
