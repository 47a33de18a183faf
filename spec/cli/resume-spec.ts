import { expect } from 'chai';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Subject, VirtualTimeScheduler } from 'rxjs';
import type { Signal } from '../../src/cli/io.js';
import { einsum, graph, input, mul, slice, sum, at } from '../../src/index.js';
import { einstream, type Said } from '../support/commandLine.js';
import { graphFiles } from '../support/graphFiles.js';
import { propertyRuns } from '../support/property.js';

const line = (k: number): string => `{"x":[${k},2],"t":${10 * k}}\n`;
const linesOf = (from: number, to: number): string => Array.from({ length: to - from }, (_, k) => line(from + k)).join('');

describe('einstream run --checkpoint', () => {
  const files = graphFiles();
  const doubled = files.file('doubled.json', graph({ x: input(['n']), t: input([]) }, ({ x }) => ({ y: mul(x, 2) }))); // prettier-ignore
  const summed = files.file('summed.json', graph({ x: input(['n', 2]) }, ({ x }) => ({ y: sum(x), first: slice(x, at(0)) }))); // prettier-ignore
  const feeds = files.file('feeds.ndjson', linesOf(0, 40));
  let runs = 0;
  after(() => files.remove());

  /** A folder and files of their own for each run. */
  const place = () => {
    const name = join(files.folder, `run-${++runs}`);
    return { folder: `${name}.ckpt`, out: `${name}.out`, late: `${name}.late`, read: () => readFileSync(`${name}.out`, 'utf8') };
  };
  /** Gives lines to the standard input, then a signal, and never ends. */
  const interrupted = (args: readonly string[], text: string, signal: Signal = 'SIGINT'): Promise<Said> => {
    const signals$ = new Subject<Signal>();
    async function* input(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(text);
      await new Promise((resolve) => setImmediate(resolve));
      signals$.next(signal);
      await new Promise(() => undefined);
    }
    return einstream(['run', ...args], input(), { signals$ });
  };

  it('is the run that it would be without, and begins anew where the one before has ended', async () => {
    const { folder, out, read } = place();
    const plain = await einstream(['run', doubled, feeds]);
    for (const every of ['1', '7', '1h']) {
      const said = await einstream(['run', doubled, feeds, '--checkpoint', folder, '--checkpoint-every', every, '--out', out]);
      expect(said).to.deep.equal({ code: 0, stdout: '', stderr: '' });
      expect(read()).to.equal(plain.stdout);
    }
  });

  it('stopped by a signal says where, and goes on there: each line is there once', async () => {
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      // prettier-ignore
      const { folder, out, read } = place();
      const args = [doubled, '-', '--checkpoint', folder, '--out', out];
      const first = await interrupted(args, linesOf(0, 13), signal);
      expect(first).to.deep.equal({
        code,
        stdout: '',
        stderr: `einstream run: stopped by ${signal} behind line 13; the same call with --resume goes on there\n`,
      });
      expect(read().split('\n')).to.have.length(14);
      const second = await interrupted([...args, '--resume'], linesOf(0, 29), signal);
      expect(second.stderr).to.match(/goes on behind line 13\n.*stopped by \w+ behind line 29;/);
      const third = await einstream(['run', ...args, '--resume'], linesOf(0, 40));
      expect(third).to.deep.equal({ code: 0, stdout: '', stderr: 'einstream run: goes on behind line 29\n' });
      expect(read()).to.equal((await einstream(['run', doubled, feeds])).stdout);
      const fourth = await einstream(['run', ...args, '--resume'], linesOf(0, 40));
      expect(fourth).to.deep.include({ code: 0, stderr: `einstream run: the run of ${folder} has ended already; remove the folder to begin anew\n` }); // prettier-ignore
    }
  });

  it('stopped before its first line begins with it', async () => {
    const { folder, out, read } = place();
    const args = [doubled, '-', '--checkpoint', folder, '--out', out];
    expect((await interrupted(args, '\n  \n')).stderr).to.match(/stopped by SIGINT behind line 0;/);
    expect((await einstream(['run', ...args, '--resume'], linesOf(0, 40))).code).to.equal(0);
    expect(read()).to.equal((await einstream(['run', doubled, feeds])).stdout);
  });

  it('keeps windows that are open, and late lines each once', async () => {
    const disorder = [0, 1, 5, 2, 9, 3, 12, 4, 14, 13, 20, 6, 21, 30, 22].map(line).join('');
    const args = ['--window', 'hopping=60ms/20ms', '--time', 't'];
    const whole = place();
    const plain = await einstream(['run', summed, '-', ...args, '--late', whole.late, '--out', whole.out], disorder);
    expect(plain.code).to.equal(0);
    expect(readFileSync(whole.late, 'utf8').split('\n').length).to.be.greaterThan(3);
    const lines = disorder.split('\n').length - 1;
    for (let stop = 1; stop < lines; stop += propertyRuns(4, 1, 1)) {
      const { folder, out, late, read } = place();
      const call = [summed, '-', ...args, '--late', late, '--out', out, '--checkpoint', folder];
      await interrupted(call, disorder.split('\n').slice(0, stop).join('\n') + '\n');
      expect((await einstream(['run', ...call, '--resume'], disorder)).code).to.equal(0);
      expect(read(), `stopped behind line ${stop}`).to.equal(whole.read());
      expect(readFileSync(late, 'utf8')).to.equal(readFileSync(whole.late, 'utf8'));
    }
  });

  it('says that lines on the standard output may come again', async () => {
    const { folder } = place();
    const { stderr, stdout } = await interrupted([doubled, '-', '--checkpoint', folder], linesOf(0, 3));
    expect(stdout.split('\n')).to.have.length(4);
    expect(stderr).to.match(
      /^einstream run: lines on the standard output may come again after --resume; --out FILE has each once\n/,
    );
    const again = await einstream(['run', doubled, '--checkpoint', folder, '--resume'], linesOf(0, 4));
    expect(again.stdout).to.equal('{"y":[6,4]}\n');
  });

  it('counts what failed before, too', async () => {
    const { folder, out } = place();
    const args = [doubled, '-', '--checkpoint', folder, '--out', out, '--on-error', 'skip'];
    const bad = `${line(0)}{"x":1}\n\n${line(2)}`;
    expect((await interrupted(args, bad)).code).to.equal(130);
    const { code, stderr } = await einstream(['run', ...args, '--resume'], `${bad}${line(3)}`);
    expect({ code, stderr }).to.deep.equal({
      code: 1,
      stderr: 'einstream run: goes on behind line 4\neinstream run: 1 of 4 lines failed\n',
    });
  });

  it('stopped at a bad line has told what came before, and goes on with --on-error skip', async () => {
    const { folder, out, read } = place();
    const args = [doubled, '-', '--checkpoint', folder, '--checkpoint-every', '2', '--out', out];
    const bad = `${linesOf(0, 5)}{"x":1}\n${linesOf(6, 8)}`;
    const first = await einstream(['run', ...args], bad);
    expect(first.code).to.equal(1);
    expect(first.stderr).to.match(/^stdin:6: E_FEED/);
    expect(read().split('\n')).to.have.length(6);
    const second = await einstream(['run', ...args, '--resume', '--on-error', 'skip'], bad);
    expect(second.stderr).to.match(
      /(goes on behind|begins with) line [124]\nstdin:6: E_FEED.*\neinstream run: 1 of 8 lines failed\n$/,
    );
    expect(read().split('\n')).to.have.length(8);
  });

  it('is refused with another graph, other options or other feeds: a typed error, and nothing is touched', async () => {
    const { folder, out, read } = place();
    const args = ['-', '--checkpoint', folder, '--out', out];
    await interrupted([doubled, ...args], linesOf(0, 7));
    const before = read();
    const other = files.file('tripled.json', graph({ x: input(['n']), t: input([]) }, ({ x }) => ({ y: mul(x, 3) }))); // prettier-ignore
    const shorter = linesOf(0, 6);
    const edited = `${line(1)}${linesOf(1, 9)}`;
    const moved = `\n${linesOf(0, 5)}${linesOf(6, 9)}`;
    const REFUSED: readonly (readonly [args: readonly string[], feeds: string, says: RegExp])[] = [
      [[other, ...args, '--resume'], linesOf(0, 9), /E_ARGUMENT "--resume": a run goes on with the graph that it had/],
      [[doubled, ...args, '--resume', '--format', 'flat'], linesOf(0, 9), /a run goes on with the format that it had; expected "nested", got "flat"/], // prettier-ignore
      [[doubled, ...args, '--resume', '--out', `${out}2`], linesOf(0, 9), /a run goes on with the out that it had/],
      [[doubled, ...args, '--resume', '--window', 'count=2'], linesOf(0, 9), /a run goes on with the window that it had; expected null, got "count=2"/], // prettier-ignore
      [[doubled, ...args, '--resume'], shorter, /a run goes on with the feeds that it had; expected stdin to be the same up to line 7, got an end before that/], // prettier-ignore
      [[doubled, ...args, '--resume'], edited, /up to line 7, got other lines/],
      [[doubled, ...args, '--resume'], moved, /got other lines/],
      [[doubled, ...args, '--resume'], '', /got an end before that/],
      [[doubled, ...args], linesOf(0, 9), /E_ARGUMENT "--checkpoint": a run that has not ended is not overwritten.*--resume/],
    ];
    for (const [call, text, says] of REFUSED) {
      const { code, stderr } = await einstream(['run', ...call], text);
      expect(code, String(says)).to.equal(2);
      expect(stderr).to.match(says);
      expect(read()).to.equal(before);
    }
    expect((await einstream(['run', doubled, ...args, '--resume'], linesOf(0, 9))).code).to.equal(0);
    expect(read()).to.equal((await einstream(['run', doubled], linesOf(0, 9))).stdout);
  });

  it('goes on with a file of feeds that has grown', async () => {
    const { folder, out, read } = place();
    const growing = files.file('growing.ndjson', linesOf(0, 5));
    const args = ['run', doubled, growing, '--checkpoint', folder, '--out', out, '--on-error', 'stop', '--checkpoint-every', '1'];
    appendFileSync(growing, '{"x":[1],"t":1}x\n');
    expect((await einstream(args)).code).to.equal(1);
    writeFileSync(growing, linesOf(0, 12));
    const { code, stderr } = await einstream([...args, '--resume']);
    expect(code).to.equal(0);
    // Where the last checkpoint was still being written when the bad line came, it is the one before.
    expect(stderr).to.match(/^einstream run: goes on behind line [1-5]\n$/);
    expect(read()).to.equal((await einstream(['run', doubled], linesOf(0, 12))).stdout);
  });

  it('refuses to go on where the file of outputs has lost what was committed', async () => {
    const { folder, out } = place();
    const args = [doubled, '-', '--checkpoint', folder, '--out', out];
    await interrupted(args, linesOf(0, 7));
    rmSync(out);
    const { code, stderr } = await einstream(['run', ...args, '--resume'], linesOf(0, 9));
    expect(code).to.equal(1);
    expect(stderr).to.match(/E_CKPT_CORRUPT .*a file must hold what was committed/);
  });

  it('called wrongly says what to do instead', async () => {
    const { folder } = place();
    for (const [args, says] of [
      [['--resume'], /"--resume": .*give --checkpoint FOLDER/],
      [['--checkpoint-every', '5'], /"--checkpoint-every": .*give --checkpoint FOLDER/],
      [['--checkpoint', folder, '--checkpoint-every', '0'], /expected such as 1000, or 500ms/],
      [['--checkpoint', feeds], /E_CKPT_IO/],
    ] as const) {
      const { code, stderr } = await einstream(['run', doubled, ...args]);
      expect([1, 2], args.join(' ')).to.include(code);
      expect(stderr).to.match(says);
    }
  });
});

describe('einstream run, asked to stop', () => {
  const files = graphFiles();
  const dot = files.file(
    'dot.json',
    graph({ x: input(['n']) }, ({ x }) => ({ y: einsum('i,i->', x, x) })),
  );
  after(() => files.remove());
  const ask = (signals$: Subject<Signal>, signals: readonly Signal[]) =>
    async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{"x":[3]}\n{"x":[4]}\n{"x":[5');
      await new Promise((resolve) => setImmediate(resolve));
      for (const signal of signals) signals$.next(signal);
      await new Promise(() => undefined);
    };

  it('without a checkpoint tells what is on its way, takes no half line, and ends', async () => {
    const signals$ = new Subject<Signal>();
    expect(await einstream(['run', dot], ask(signals$, ['SIGINT'])(), { signals$ })).to.deep.equal({
      code: 130,
      stdout: '{"y":9}\n{"y":16}\n',
      stderr: 'einstream run: stopped by SIGINT behind line 2; with --checkpoint FOLDER it could be resumed there\n',
    });
  });

  it('a second time ends at once', async () => {
    const signals$ = new Subject<Signal>();
    const { code, stderr } = await einstream(['run', dot], ask(signals$, ['SIGINT', 'SIGTERM'])(), { signals$ });
    expect({ code, stderr }).to.deep.equal({ code: 130, stderr: '' });
  });

  it('listens while it runs, and no longer', async () => {
    const signals$ = new Subject<Signal>();
    await einstream(['run', dot], '{"x":[1]}\n', { signals$, scheduler: new VirtualTimeScheduler() });
    expect(signals$.observed).to.equal(false);
  });
});
