/** @file What only a process shows: memory, pipes, and what is loaded. */
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { graph, einsum, input } from '../../src/index.js';
import { main } from '../../src/cli/main.js';
import { buildProgram, collecting, type Built } from '../support/commandLine.js';
import { graphFiles } from '../support/graphFiles.js';
import { isLarge, propertyRuns } from '../support/property.js';
import { runProcess } from '../support/runProcess.js';

const line = (k: number): string => `{"x":[${k % 7},2,0.25],"w":[3,4,1.5]}\n`;
const linesOf = (count: number): string => Array.from({ length: count }, (_, k) => line(k)).join('');

describe('the command line as a process', function () {
  this.timeout(60_000);
  const files = graphFiles();
  const path = files.file(
    'dot.json',
    graph({ x: input(['n']), w: input(['n']) }, ({ x, w }) => ({ y: einsum('i,i->', x, w) })),
  );
  let program: Built;
  before(async () => void (program = await buildProgram('src/cli.ts')));
  after(() => {
    program.remove();
    files.remove();
  });
  const run = (args: readonly string[], input?: string) => runProcess(process.execPath, [program.path, ...args], { input });

  it('reads its standard input and ends with the exit code of what happened', () => {
    expect(run(['run', path], linesOf(3))).to.deep.equal({
      status: 0,
      stdout: '{"y":8.375}\n{"y":11.375}\n{"y":14.375}\n',
      stderr: '',
    });
    expect(run(['run', path, '--nosuch'])).to.deep.include({ status: 2, stdout: '' });
    // A process takes a second to start, and the codes are those of calls in this one.
    if (!isLarge()) return;
    expect(run(['run', path], '{"x":[1]}\n')).to.deep.include({ status: 1, stdout: '' });
    expect(run(['--help'])).to.deep.include({ status: 0, stderr: '' });
  });

  if (isLarge())
    it('needs no more memory for ten times the lines', () => {
      // The peak of the whole process, with a young generation so small that garbage does not hide a leak.
      const report = "process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS)))";
      const flags = [
        '--max-semi-space-size=1',
        '--max-old-space-size=48',
        '--import',
        `data:text/javascript,${encodeURIComponent(report)}`,
      ];
      const peak = (count: number): number => {
        const { status, stdout, stderr } = runProcess(process.execPath, [...flags, program.path, 'run', path], {
          input: linesOf(count),
        });
        expect(status, stderr).to.equal(0);
        expect(stdout.length).to.be.greaterThan(10 * count);
        return Number(stderr) / 1024;
      };
      const lines = propertyRuns(8e3, 1e5, 1e6);
      const [few, many] = [peak(lines / 10), peak(lines)];
      console.log(`      peak memory: ${few.toFixed(0)} MiB at ${lines / 10} lines, ${many.toFixed(0)} MiB at ${lines}`);
      expect(many - few).to.be.below(12);
    });

  if (isLarge())
    it('ends quietly when nobody reads its outputs any more', async () => {
      const child = spawn(process.execPath, [program.path, 'run', path], { stdio: 'pipe' });
      const errors = collecting();
      child.stderr.pipe(errors);
      child.stdin.on('error', () => undefined); // it stops reading, of course
      const feed = Readable.from((function* () { for (;;) yield linesOf(1000); })()); // prettier-ignore
      feed.pipe(child.stdin);
      child.stdout.once('data', () => child.stdout.destroy());
      const code = await new Promise((resolve) => child.once('exit', resolve));
      feed.destroy();
      expect({ code, stderr: errors.text() }).to.deep.equal({ code: 0, stderr: '' });
    });

  it('answers each line while its input stays open', async () => {
    const child = spawn(process.execPath, [program.path, 'run', path], { stdio: 'pipe' });
    const answer = (text: string): Promise<string> => {
      child.stdin.write(text);
      return new Promise((resolve) => child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString())));
    };
    expect(await answer(line(0))).to.equal('{"y":8.375}\n');
    expect(await answer(line(1))).to.equal('{"y":11.375}\n');
    child.stdin.end();
    expect(await new Promise((resolve) => child.once('exit', resolve))).to.equal(0);
  });
});

describe('a slow reader of the outputs', () => {
  it('slows the reading of feeds: what waits between them is bounded', async () => {
    const files = graphFiles();
    const path = files.file(
      'g.json',
      graph({ x: input(['n']), w: input(['n']) }, ({ x, w }) => ({ y: einsum('i,i->', x, w) })),
    );
    let read = 0;
    const stdin = Readable.from((function* () { for (; read < 1000; read++) yield Buffer.from(linesOf(1000)); })(), { objectMode: true, highWaterMark: 1 }); // prettier-ignore
    const waiting: (() => void)[] = [];
    const stdout = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void waiting.push(done) });
    const code = main(['run', path], { stdin, stdout, stderr: collecting() });
    while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(waiting.length).to.equal(1);
    expect(read).to.be.at.most(20);
    stdout.destroy();
    waiting[0]();
    expect(await code).to.equal(0);
    files.remove();
  });
});
