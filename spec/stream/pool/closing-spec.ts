/** @file The end of a pool: it drains or aborts, leaves nothing open, and keeps no process alive (P15) (R10). */
import { expect } from 'chai';
import { buildSync } from 'esbuild';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { executorPool, graph, input, mul } from '../../../src/index.js';
import { buildPoolWorker, buildScript } from '../../support/builtPool.js';
import { follow, settled } from '../../support/poolLedger.js';
import { isLarge } from '../../support/property.js';
import { runProcess } from '../../support/runProcess.js';
import { scriptedPool } from '../../support/scriptedWorkers.js';
import { projectRoot } from '../../support/sourceFiles.js';

const doubled = graph({ x: input([]) }, ({ x }) => ({ y: mul(x, 2) }));

describe('closing a pool', () => {
  it('drains by default: what was asked is answered, nothing new is taken, then its workers end', async () => {
    const { pool, pass, lives } = scriptedPool({ act: () => ({ ms: 10 }) });
    const all = [1, 2, 3].map((x) => follow(pool, doubled, { x }));
    let isClosed = false;
    void pool.close().then(() => (isClosed = true));
    const late = follow(pool, doubled, { x: 4 });
    pass(10);
    await settled();
    expect([isClosed, late.ended?.code]).to.deep.equal([false, 'E_ABORT']);
    pass(10);
    await settled();
    expect(isClosed).to.equal(true);
    expect(all.map(({ ended }) => ended?.outputs?.['y'].toArray())).to.deep.equal([2, 4, 6]);
    expect(lives.map(({ isEnded }) => isEnded)).to.deep.equal([true, true]);
    expect(pool.stats()).to.include({ health: 'closed', submitted: 4, successful: 3, failed: 1, running: 0 });
  });

  it('aborts: all that was asked is E_ABORT at once, also while it drains; closing again changes nothing', async () => {
    const { pool, lives, time } = scriptedPool({ act: () => ({ how: 'silence' }) });
    const all = [1, 2, 3].map((x) => follow(pool, doubled, { x }));
    const [drained, aborted] = [pool.close(), pool.close({ mode: 'abort' })];
    await Promise.all([drained, aborted, pool.close()]);
    await settled();
    expect(all.map(({ ended }) => ended?.code)).to.deep.equal(['E_ABORT', 'E_ABORT', 'E_ABORT']);
    expect(lives.map(({ isEnded }) => isEnded)).to.deep.equal([true, true]);
    expect(pool.stats()).to.include({ cancelled: 3, inFlight: 0, running: 0, queued: 0 });
    expect(time.actions, 'timers').to.have.length(0);
  });

  it('tells those who watch: readiness goes, statistics end', async () => {
    const { pool, pass, lives } = scriptedPool({ startMs: 10 }, { workers: 1 });
    const [ready, healths]: [boolean[], string[]] = [[], []];
    let isOver = false;
    pool.ready$.subscribe({ next: (is) => ready.push(is), complete: () => (isOver = true) });
    pool.stats$.subscribe(({ health }) => healths.push(health));
    pass(10);
    lives[0].die();
    pass(300);
    await pool.close();
    expect(ready).to.deep.equal([false, true, false, true, false]);
    expect([isOver, healths[0], healths.at(-1)]).to.deep.equal([true, 'down', 'closed']);
  });

  it('counts its own handles back to where they were', async function () {
    this.timeout(30_000);
    buildPoolWorker();
    const open = (): number => process.getActiveResourcesInfo().filter((name) => /MessagePort|Worker/.test(name)).length;
    const before = open();
    const pool = await executorPool({ workers: 2 });
    await Promise.all([1, 2, 3].map((x) => pool.evaluate(doubled, { x })));
    await pool.close();
    await settled();
    expect(open()).to.be.at.most(before);
  });
});

describe('a process with a pool', function () {
  this.timeout(120_000);
  let program: string;
  let script: ReturnType<typeof buildScript>;
  before(() => {
    script = buildScript('src/stream/pool/pool-worker.ts');
    const { outputFiles } = buildSync({
      entryPoints: [join(projectRoot, 'spec/support/children/poolExit.ts')],
      ...{ bundle: true, write: false, format: 'esm', platform: 'node', target: 'node20', logLevel: 'silent' },
      define: { 'import.meta.url': JSON.stringify(script.url.href) },
    });
    program = outputFiles[0].text;
  });
  after(() => script.remove());

  const said = (kind: string, how: string): Record<string, unknown> => {
    const args = ['--input-type=module', '-', kind, how];
    const { status, stdout, stderr } = runProcess(process.execPath, args, {
      input: program,
      env: { POOL_WORKER: script.url.href },
      cwd: join(fileURLToPath(script.url), '..'),
      timeout: 60_000,
    });
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  for (const kind of isLarge() ? ['thread', 'process'] : []) {
    it(`of kind ${kind} ends by itself once it is closed, drained or aborted`, () => {
      const drained = said(kind, 'drain');
      expect(drained).to.deep.include({ late: 'E_ABORT', answered: 50, health: 'closed', left: [] });
      const aborted = said(kind, 'abort');
      expect(aborted).to.deep.include({ late: 'E_ABORT', health: 'closed', left: [] });
      expect(aborted['answered']).to.be.lessThan(50);
      console.log(`      ${kind}: ${String(drained['ms'])} ms to drain, ${String(aborted['ms'])} ms to abort`);
    });

    if (isLarge())
      it(`of kind ${kind} is kept alive by what it asked, not by idle workers`, () => {
        expect(said(kind, 'unawaited')).to.deep.equal({ answered: 50 });
        expect(said(kind, 'idle')).to.deep.equal({ health: 'ready' });
      });
  }
});
