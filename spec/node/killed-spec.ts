/** @file Kills: a checkpoint is old or new and whole, whatever system call was the last, and a job's outputs are each there once. */
import { expect } from 'chai';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asked } from '../support/asked.js';
import { bundleTo } from '../support/bundled.js';
import { isLarge, propertyRuns, propertySeed } from '../support/property.js';

describe('a kill -9', function () {
  this.timeout(0);
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'einstream-killed-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  if (isLarge())
    it('at each system call of one write leaves the old checkpoint or the new one, whole, and nothing half-written (C1) (L5)', async function () {
      if (!canTrace()) {
        console.log('    skipped: strace cannot attach to a process here');
        this.skip();
      }
      const writer = join(folder, 'writer.mjs');
      bundleTo(writer, 'spec/support/children/checkpointWriter.ts');
      const counts = { killed: 0, old: 0, new: 0, unreadable: 0, left: 0 };
      for (const call of ['openat', 'write', 'pwrite64', 'fsync', 'close', 'rename', 'unlink', 'getdents64', 'mkdir', 'rmdir']) {
        for (let nth = 1; ; nth++) {
          const place = join(folder, `${call}-${nth}`);
          const child = asked(process.execPath, [writer, place], { UV_THREADPOOL_SIZE: '1' });
          await child.next();
          expect(await child.ask('save 1 65536')).to.have.property('id');
          const tracer = spawn('strace', ['-f', '-q', '-p', String(child.child.pid), '-e', `trace=${call}`, '-e', `inject=${call}:signal=SIGKILL:when=${nth}`], { stdio: ['ignore', 'ignore', 'pipe'] }); // prettier-ignore
          await attached(child.child.pid!);
          const answer = await child.ask('save 2 65536');
          await Promise.all([child.end(), tracer.exitCode ?? tracer.signalCode ?? once(tracer, 'close')]);
          if (answer !== undefined) break;
          counts.killed++;
          const heir = asked(process.execPath, [writer, place]);
          await heir.next();
          const found = await heir.ask('latest');
          if (found?.['k'] === 1 && found['size'] === 16_384) counts.old++;
          else if (found?.['k'] === 2 && found['size'] === 16_384) counts.new++;
          else counts.unreadable++;
          expect(await heir.ask('save 3 4')).to.have.property('id');
          expect(await heir.ask('latest')).to.include({ k: 3 });
          await heir.end();
          counts.left += readdirSync(place).filter((name) => name.endsWith('.tmp')).length;
        }
      }
      console.log(`    killed at ${counts.killed} system calls of a write: ${counts.old} times the old one, ${counts.new} times the new one, ${counts.unreadable} unreadable, ${counts.left} left over`); // prettier-ignore
      expect(counts.killed, 'system calls of a write').to.be.at.least(8);
      expect([counts.unreadable, counts.left]).to.deep.equal([0, 0]);
      expect(counts.old).to.be.greaterThan(0);
    });

  it('of a job at any moment, again and again, leaves the file of a run that was never interrupted (C13) (L13) (B09)', async () => {
    const program = join(folder, 'job.mjs');
    bundleTo(program, 'spec/support/children/killableJob.ts');
    const [items, every] = [propertyRuns(4_000, 100_000, 100_000), propertyRuns(200, 1_000, 1_000)];
    const kills = propertyRuns(1, 100, 1_000);
    const random = xorshift(propertySeed());
    const args = (place: string) => [program, place, String(items), String(every)];
    const whole = join(folder, 'whole');
    mkdirSync(whole);
    const start = performance.now();
    expect(spawnSync(process.execPath, args(whole)).status).to.equal(0);
    const expected = readFileSync(join(whole, 'outputs.txt'));
    expect(expected.toString().split('\n').length).to.equal(items + 1);
    const longest = Math.max(50, (performance.now() - start) / 4);
    let [killed, jobs] = [0, 0];
    while (killed < kills) {
      const place = join(folder, `job-${++jobs}`);
      mkdirSync(place);
      for (let isDone = false; !isDone;) {
        const child = spawn(process.execPath, args(place), { stdio: ['ignore', 'pipe', 'inherit'] });
        await once(child.stdout, 'data');
        const timer = killed < kills ? setTimeout(() => child.kill('SIGKILL'), random() * longest) : undefined;
        const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
        clearTimeout(timer);
        if (signal === 'SIGKILL') killed++;
        else isDone = code === 0;
        expect(isDone || signal === 'SIGKILL', `ended with ${code} ${signal}`).to.equal(true);
      }
      expect(readFileSync(join(place, 'outputs.txt')).equals(expected), `job ${jobs}`).to.equal(true);
      rmSync(place, { recursive: true });
      if (kills > 100 && jobs % 10 === 0) console.log(`    ${killed} of ${kills} kills, ${jobs} jobs`);
    }
    console.log(`    killed ${killed} times: ${jobs} jobs of ${items} items, each output there once`);
  });
});

const canTrace = (): boolean => spawnSync('strace', ['-f', '-e', 'inject=fsync:error=EIO', 'true']).status === 0;

/** Resolves when all threads are traced. */
async function attached(pid: number): Promise<void> {
  const isTraced = (thread: string) => !/^TracerPid:\t0$/m.test(readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8'));
  for (let tries = 0; !readdirSync(`/proc/${pid}/task`).every(isTraced); tries++) {
    if (tries > 1_000) throw new Error('strace did not attach');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Numbers from 0 to 1, the same for the same seed. */
function xorshift(seed: number): () => number {
  let x = seed | 1;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 0) / 2 ** 32;
  };
}
