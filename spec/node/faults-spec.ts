/** @file A file system that fails, really: E_CKPT_IO, and every earlier checkpoint is still there. */
import { expect } from 'chai';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asked, type Asked } from '../support/asked.js';
import { bundleTo } from '../support/bundled.js';
import { isLarge, propertyRuns } from '../support/property.js';
import { folders } from './folder.js';

describe('a file system that fails (C8) (C9) (C10)', function () {
  this.timeout(0);
  const folder = folders();
  const running: Asked[] = [];
  afterEach(() => Promise.all(running.splice(0).map((each) => each.end())));

  /** A writer in a process of its own, behind `before`. */
  const writer = async (place: string, before: readonly string[] = []): Promise<Asked> => {
    const program = join(folder(), 'writer.mjs');
    bundleTo(program, 'spec/support/children/checkpointWriter.ts');
    const [command, ...args] = [...before, process.execPath, program, place];
    const child = asked(command, args, { UV_THREADPOOL_SIZE: '1' });
    running.push(child);
    expect(await child.next()).to.deep.equal({ ready: true });
    return child;
  };
  const works = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
  const skip = (test: Mocha.Context, reason: string): never => {
    console.log(`    skipped: ${reason}`);
    test.skip();
    throw new Error('unreachable');
  };
  const leftovers = (place: string) => readdirSync(place).filter((name) => name.endsWith('.tmp'));

  it('by a file that may not grow further, at sizes from nothing to all: EFBIG (C8)', async function () {
    if (!works('prlimit', '--fsize=1000', 'true')) skip(this, 'prlimit is not there');
    const place = join(folder(), 'in');
    const child = await writer(place);
    expect(await child.ask('save 1 8192')).to.have.property('id');
    const step = propertyRuns(4_096, 64, 1);
    let tried = 0;
    for (let size = 0; size < 8_192 + 80; size += step) {
      execFileSync('prlimit', ['--pid', String(child.child.pid), `--fsize=${size}:`]);
      expect(await child.ask('save 2 8192'), `${size} bytes`).to.deep.equal({ code: 'E_CKPT_IO', cause: 'EFBIG' });
      tried++;
    }
    expect(leftovers(place)).to.deep.equal([]);
    execFileSync('prlimit', ['--pid', String(child.child.pid), '--fsize=unlimited:']);
    expect(await child.ask('latest')).to.deep.equal({ k: 1, size: 2_048 });
    expect(await child.ask('save 3 8192')).to.have.property('id');
    expect(await child.ask('latest')).to.include({ k: 3 });
    console.log(`    ${tried} sizes of a full file: each E_CKPT_IO, the old checkpoint there`);
  });

  if (!isLarge()) return;

  it('by a disk that is full, for real: ENOSPC, then goes on when there is room (C8)', async function () {
    if (!works('unshare', '-m', 'mount', '-t', 'tmpfs', 'tmpfs', folder())) skip(this, 'no file system may be mounted here');
    // Mounted by the child's shell, in a namespace of its own: it goes away with it.
    const place = join(folder(), 'disk', 'in');
    const script = `mkdir -p ${join(folder(), 'disk')} && mount -t tmpfs -o size=100k tmpfs ${join(folder(), 'disk')} && exec "$0" "$@"`;
    const child = await writer(place, ['unshare', '-m', 'sh', '-c', script]);
    for (const k of [1, 2]) expect(await child.ask(`save ${k} 20000`)).to.have.property('id');
    for (let k = 0; k < 5; k++) expect(await child.ask('save 3 80000')).to.deep.equal({ code: 'E_CKPT_IO', cause: 'ENOSPC' });
    expect(await child.ask('latest')).to.deep.equal({ k: 2, size: 5_000 });
    expect(await child.ask('save 4 20000'), 'the temporary files are gone').to.have.property('id');
    expect(await child.ask('latest')).to.include({ k: 4 });
  });

  it('by becoming read-only: EROFS, and what is there can be read (C10)', async function () {
    if (!works('unshare', '-m', 'mount', '-t', 'tmpfs', 'tmpfs', folder())) skip(this, 'no file system may be mounted here');
    const disk = join(folder(), 'disk');
    const script = `mkdir -p ${disk} && mount -t tmpfs tmpfs ${disk} && exec "$0" "$@"`;
    const child = await writer(join(disk, 'in'), ['unshare', '-m', 'sh', '-c', script]);
    expect(await child.ask('save 1 400')).to.have.property('id');
    execFileSync('nsenter', ['-t', String(child.child.pid), '-m', 'mount', '-o', 'remount,ro', disk]);
    expect(await child.ask('save 2 400')).to.deep.equal({ code: 'E_CKPT_IO', cause: 'EROFS' });
    expect(await child.ask('latest')).to.deep.equal({ k: 1, size: 100 });
  });

  for (const [call, error] of [
    ['fsync', 'EIO'],
    ['rename', 'EIO'],
    ['openat', 'EMFILE'],
  ] as const)
    it(`by ${error} of ${call}, once and then never again: that checkpoint has failed, and is not called safe later (C9)`, async function () {
      if (!works('strace', '-f', '-e', 'inject=fsync:error=EIO', 'true')) skip(this, 'strace cannot trace here');
      const place = join(folder(), 'in');
      const before = await writer(place);
      expect(await before.ask('save 1 400')).to.have.property('id');
      // All calls of files are made by one thread, whose calls are counted by themselves.
      for (const nth of call === 'fsync' ? [1, 2] : [1]) {
        const child = await writer(place);
        const pid = String(child.child.pid);
        const task = readdirSync(`/proc/${pid}/task`);
        expect(task.length).to.be.greaterThan(1);
        const tracer = asked('strace', ['-f', '-q', '-o', '/dev/null', '-p', pid, '-e', `trace=${call}`, '-e', `inject=${call}:error=${error}:when=${nth}`]); // prettier-ignore
        await traced(pid);
        const answer = await child.ask('save 2 400');
        tracer.child.kill('SIGINT');
        await tracer.end();
        expect(answer).to.deep.equal({ code: 'E_CKPT_IO', cause: error });
        expect(leftovers(place)).to.deep.equal([]);
        expect(await before.ask('latest'), 'the old one is the newest').to.deep.equal({ k: 1, size: 100 });
        expect(await child.ask('latest')).to.deep.equal({ k: 1, size: 100 });
      }
    });
});

/** Resolves when all threads are traced. */
async function traced(pid: string): Promise<void> {
  const isTraced = (thread: string) => !/^TracerPid:\t0$/m.test(readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8'));
  while (!readdirSync(`/proc/${pid}/task`).every(isTraced)) await new Promise((resolve) => setTimeout(resolve, 5));
}
