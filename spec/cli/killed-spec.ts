/** @file Runs that are killed at any moment, as processes of their own: gone on with, each line is in the file once. */
import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { graph, input, matmul, sum } from '../../src/index.js';
import { buildPoolWorker, poolWorkerText } from '../support/builtPool.js';
import { buildProgram, collecting, einstream, type Built } from '../support/commandLine.js';
import { graphFiles } from '../support/graphFiles.js';
import { isLarge, propertyRuns, propertySeed } from '../support/property.js';
import { runProcess } from '../support/runProcess.js';

// Processes take a second to start each: in `npm test` a job without a command line is killed in their stead.
if (isLarge())
  describe('einstream run, killed', function () {
    this.timeout(0);
    const files = graphFiles();
    const each = files.file(
      'each.json',
      graph({ x: input([2, 2]) }, ({ x }) => ({ y: matmul(x, x) })),
    );
    const windows = files.file(
      'windows.json',
      graph({ x: input(['n', 2, 2]) }, ({ x }) => ({ y: sum(x, { axis: 0 }) })),
    );
    const lines = propertyRuns(3_000, 20_000, 100_000);
    const feeds = files.file(
      'feeds.ndjson',
      Array.from({ length: lines }, (_, k) => `{"x":[[${k % 11},1],[${k % 5},2]],"t":${10 * k + ((k * 7919) % 400)}}\n`).join(''),
    );
    let program: Built;
    before(async () => {
      buildPoolWorker();
      program = await buildProgram('src/cli.ts');
      writeFileSync(join(dirname(program.path), 'pool-worker.js'), poolWorkerText());
    });
    after(() => {
      program.remove();
      files.remove();
    });

    const started = (args: readonly string[]) => {
      const child = spawn(process.execPath, [program.path, 'run', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
      const said = collecting();
      child.stderr.pipe(said);
      return { child, said };
    };
    const ended = async (child: ChildProcess): Promise<number | string | null> =>
      child.exitCode ?? child.signalCode ?? ((await once(child, 'close')) as [number | null, string | null]).find((end) => end !== null) ?? null; // prettier-ignore

    const CALLS: readonly (readonly [title: string, graph: string, args: readonly string[]])[] = [
      ['line by line', each, []],
      ['by two workers', each, ['--workers', '2']],
      ['in windows with late lines', windows, ['--window', 'hopping=2s/500ms', '--time', 't', '--delay', '300ms']],
    ];
    for (const [index, [title, path, args]] of CALLS.entries()) {
      it(`at any moment while it computes ${title}, has the file of a run that was never interrupted (C13) (L13)`, async () => {
        const late = (name: string): readonly string[] => (args.includes('--time') ? ['--late', join(files.folder, `${name}.late`)] : []); // prettier-ignore
        const call = (name: string): readonly string[] => [
          path,
          feeds,
          ...args,
          ...late(name),
          '--out',
          join(files.folder, name),
        ];
        const whole = await einstream(['run', ...call(`whole-${index}`)]);
        expect(whole).to.deep.include({ code: 0, stdout: '' });
        const expected = readFileSync(join(files.folder, `whole-${index}`));
        expect(expected.length).to.be.greaterThan(lines / 50);

        const random = xorshift(propertySeed() + index);
        const kills = propertyRuns(1, 20, 200);
        let [killed, jobs] = [0, 0];
        while (killed < kills) {
          const name = `killed-${index}-${jobs++}`;
          const folder = join(files.folder, `${name}.ckpt`);
          const kept = [...call(name), '--checkpoint', folder, '--checkpoint-every', '250', '--resume'];
          for (let isDone = false; !isDone;) {
            const { child, said } = started(kept);
            await once(child.stderr, 'data');
            const timer = killed < kills ? setTimeout(() => child.kill('SIGKILL'), 400 * random() ** 2) : undefined;
            const end = await ended(child);
            clearTimeout(timer);
            expect(end, said.text()).to.be.oneOf([0, 'SIGKILL']);
            isDone = end === 0;
            if (!isDone) killed++;
          }
          expect(readFileSync(join(files.folder, name)).equals(expected), name).to.equal(true);
          if (args.includes('--time'))
            expect(readFileSync(join(files.folder, `${name}.late`))).to.deep.equal(readFileSync(join(files.folder, `whole-${index}.late`))); // prettier-ignore
        }
        console.log(`      killed ${killed} times in ${jobs} runs of ${lines} lines`);
      });
    }

    it('by Ctrl-C saves, says how to go on, and ends with 130', async () => {
      const out = join(files.folder, 'stopped');
      const args = [each, feeds, '--out', out, '--checkpoint', `${out}.ckpt`, '--resume'];
      const { child, said } = started(args);
      await once(child.stderr, 'data');
      child.kill('SIGINT');
      expect(await ended(child)).to.equal(130);
      expect(said.text()).to.match(/stopped by SIGINT behind line \d+; the same call with --resume goes on there\n$/);
      expect(runProcess(process.execPath, [program.path, 'run', ...args]).status).to.equal(0);
      expect(readFileSync(out)).to.deep.equal(readFileSync(join(files.folder, 'whole-0')));
    });
  });

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
