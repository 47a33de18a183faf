/** @file The digits demo: what it reads, how it learns, and that Ctrl-C loses nothing. */
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkpointIn } from '../../demos/mnist/checkpoint.js';
import { readDigits } from '../../demos/mnist/digits.js';
import { buildProgram, type Built } from '../support/commandLine.js';
import { isLarge, propertyRuns } from '../support/property.js';
import { runProcess } from '../support/runProcess.js';

// Its processes take seconds, and so do the digits that they read.
if (isLarge())
  describe('the digits demo', function () {
    this.timeout(300_000);
    let program: Built;
    let folder: string;
    before(async () => {
      program = await buildProgram('demos/mnist.ts');
      folder = mkdtempSync(join(tmpdir(), 'einstream-mnist-'));
    });
    after(() => {
      program.remove();
      rmSync(folder, { recursive: true, force: true });
    });
    const args = (...more: readonly string[]) => [program.path, '--folder', folder, ...more];

    /** Starts it, and presses Ctrl-C when it says for the first time what `sign` matches. */
    async function stopped(sign: RegExp, ...more: readonly string[]) {
      const child = spawn(process.execPath, args(...more));
      const said = { stdout: '', stderr: '' };
      for (const stream of ['stdout', 'stderr'] as const)
        child[stream].on('data', (text: Buffer) => {
          const isNew = !sign.test(said[stream]);
          said[stream] += text.toString();
          if (isNew && sign.test(said[stream])) child.kill('SIGINT');
        });
      const [status] = (await once(child, 'close')) as [number | null];
      return { ...said, status };
    }
    const standing = (text: string, verb: string): string[] =>
      [...text.matchAll(new RegExp(`${verb} (after step .*, loss on unseen digits [\\d.]+)\\n +saved in`, 'g'))].map(
        ([, at]) => at,
      );

    it('stops at Ctrl-C, and goes on from the same loss, to the last bit', async () => {
      const options = ['--seed', '3', '--epochs', '1'];
      const first = await stopped(/learns from 9,000 digits: 1 epochs, 141 steps/, ...options);
      const [saved] = standing(first.stdout, 'stopped');
      expect(saved, first.stdout + first.stderr).to.match(/^after step \d+ \(epoch 1 of 1\)/);
      expect(first.status).to.equal(130);
      expect(readdirSync(folder), 'and nothing beside it').to.deep.equal(['seed-3.state']);

      const rest = runProcess(process.execPath, args(...options));
      expect(standing(rest.stdout, 'goes on')).to.deep.equal([saved]);
      expect(rest.status, rest.stderr).to.equal(0);
      expect(rest.stdout).to.match(/^ {2}mean {4}\d\d\.\d % {2}of 1,000 digits that training has not seen/m);
      expect(readdirSync(folder)).to.deep.equal([]);
      const whole = runProcess(process.execPath, args(...options));
      const result = (text: string) => /^ {2}seed 3 .* → [\d.]+/m.exec(text)?.[0];
      expect(result(rest.stdout)).to.equal(result(whole.stdout)).and.not.equal(undefined);
    });

    it('forgets what was saved when it is asked to, and refuses what is no saved state', () => {
      writeFileSync(join(folder, 'seed-4.state'), 'no state');
      const refused = runProcess(process.execPath, args('--seed', '4'));
      expect(refused.status).to.equal(1);
      expect(refused.stderr).to.contain('E_CKPT_CORRUPT');
      expect(runProcess(process.execPath, args('--seed', '4', '--epochs', '1', '--fresh')).status).to.equal(0);
      rmSync(join(folder, 'seed-4.state'), { force: true });
    });

    it('holds back the last hundred of each digit', () => {
      const { known, unseen } = readDigits();
      expect([known.x.shape, known.t.shape, unseen.x.shape]).to.deep.equal([
        [9000, 784],
        [9000, 10],
        [1000, 784],
      ]);
      const kinds = (unseen.t.toArray() as number[][]).map((row) => row.flatMap((each, kind) => (each === 1 ? [kind] : [])));
      expect(kinds).to.deep.equal(Array.from({ length: 1000 }, (_, row) => [Math.floor(row / 100)]));
    });

    it('has nothing to read where nothing was saved', () => {
      expect(checkpointIn(folder, 'none').read()).to.equal(undefined);
    });

    it('finds 95 of 100 digits that it has not seen, in 20 s of processor time a seed (F011)', function () {
      this.timeout(0);
      const seeds = `1-${propertyRuns(1, 1, 5)}`;
      const { status, stdout, stderr } = runProcess(process.execPath, args('--seeds', seeds, '--fresh'), { timeout: 600_000 });
      expect(status, stderr).to.equal(0);
      const [, mean, times] = /^ {2}mean +([\d.]+) % .*; (.*) s of processor time/m.exec(stdout)!;
      expect(Number(mean)).to.be.at.least(95);
      for (const seconds of times.split(', ')) expect(Number(seconds)).to.be.at.most(20);
    });
  });
