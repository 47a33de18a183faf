import { expect } from 'chai';
import { Subject, type Observable } from 'rxjs';
import { add, einsum, exp, graph, input, mul, sum, tensor, where, greater } from '../../src/index.js';
import { distance } from '../../src/cli/bench-contenders.js';
import { randomFeeds } from '../../src/cli/random-feeds.js';
import type { Signal } from '../../src/cli/io.js';
import { einstream } from '../support/commandLine.js';
import { graphFiles } from '../support/graphFiles.js';

interface Row {
  readonly backend: string;
  readonly level: string;
  readonly leastMs: number;
  readonly medianMs: number;
  readonly ratio: number;
  readonly kernels: number;
  readonly movedBytes: number;
  readonly heldBytes: number;
  readonly offBy: number;
}

/** A clock that goes on by 8 ms each time it is read, so a frame takes 8 ms, and a turn has one. */
function steady(ms = 8): () => number {
  let now = 0;
  return () => (now += ms);
}

describe('einstream bench', () => {
  const files = graphFiles();
  after(() => files.remove());
  const path = files.file(
    'g.json',
    graph({ x: input(['n']) }, ({ x }) => ({ y: add(mul(exp(x), 2), mul(exp(x), 2)) })),
  );
  const bench = (args: readonly string[], more: Parameters<typeof einstream>[2] = {}, stdin = '') =>
    einstream(['bench', path, ...args], stdin, { clock: steady(), ...more });
  const rowsOf = (stdout: string): readonly Row[] => (JSON.parse(stdout) as { readonly rows: readonly Row[] }).rows;

  it('prints a row for each backend and level', async () => {
    const { code, stdout, stderr } = await bench(['--shapes', 'x=256', '--runs', '3', '--backends', 'js']);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(stdout.split('\n').slice(0, 7)).to.deep.equal([
      'backend  level       least ms  median ms  to none  kernels      moved   held  off by',
      'js       none            8.00       8.00     1.00        5  11.01 KiB  3 KiB       0',
      'js       basic           8.00       8.00     1.00        5  11.01 KiB  3 KiB       0',
      'js       standard        8.00       8.00     1.00        1      2 KiB  1 KiB       0',
      'js       aggressive      8.00       8.00     1.00        1      2 KiB  1 KiB       0',
      '',
      'x [256] drawn from seed 1; 3 runs of each, in turns',
    ]);
    for (const line of stdout.split('\n')) expect(line.length, line).to.be.at.most(110);
  });

  it('takes the least and the median of turns, and their part of that at none', async () => {
    // Turns of one backend at two levels: two rounds to know how long a frame is, two to warm up, three that count.
    const lasting = [...Array<number>(8).fill(8), 10, 20, 5, 40, 30, 6];
    let [at, now] = [0, 0];
    const clock = (): number => (at++ % 2 === 0 ? now : (now += lasting[(at >> 1) - 1]));
    const { stdout } = await bench(['--shapes', 'x=2', '--runs', '3', '--backends', 'js', '--levels', 'standard', '--json'], {
      clock,
    });
    // The order turns round: the second round begins with the other one.
    expect(rowsOf(stdout).map(({ level, leastMs, medianMs, ratio }) => ({ level, leastMs, medianMs, ratio }))).to.deep.equal([
      { level: 'none', leastMs: 10, medianMs: 30, ratio: 1 },
      { level: 'standard', leastMs: 5, medianMs: 6, ratio: 0.2 },
    ]);
  });

  it('gives JSON with all that it measured, checked on both backends', async () => {
    const { code, stdout } = await bench(['--shapes', 'x=256', '--runs', '2', '--json']);
    expect(code).to.equal(0);
    const { inputs, from, runs, node } = JSON.parse(stdout) as Record<string, unknown>;
    expect({ inputs, from, runs, node }).to.deep.equal({
      inputs: [{ name: 'x', shape: [256], dtype: 'float32' }],
      from: 'drawn from seed 1',
      runs: 2,
      node: process.version,
    });
    expect(rowsOf(stdout).map(({ backend, level }) => `${backend} ${level}`)).to.have.members(
      ['js', 'wasm'].flatMap((backend) => ['none', 'basic', 'standard', 'aggressive'].map((level) => `${backend} ${level}`)),
    );
    for (const { offBy, kernels, movedBytes, heldBytes } of rowsOf(stdout)) {
      expect(offBy).to.be.below(1e-5);
      expect([kernels, movedBytes, heldBytes].every((count) => count > 0)).to.equal(true);
    }
  });

  it('runs on the first line of a file, from the standard input too', async () => {
    const feeds = files.file('feeds.ndjson', '\n{"x": [1, 2]}\n{"x": "never read"}\n');
    for (const [file, stdin] of [
      [feeds, ''],
      ['-', '{"x": [1, 2]}'],
    ] as const) {
      const { code, stdout } = await bench([file, '--runs', '1', '--backends', 'js'], {}, stdin);
      expect(code).to.equal(0);
      expect(stdout).to.include(`x [2] from ${file === '-' ? 'stdin' : file}; 1 run of each`);
    }
    const { code, stderr } = await bench(['-'], {}, '\n \n');
    expect(code).to.equal(1);
    expect(stderr).to.match(/E_FEED.*a line of feeds is needed; got none/);
  });

  it('ends at Ctrl-C with what it has, and with nothing where that is nothing', async () => {
    const signals$ = new Subject<Signal>();
    let reads = 0;
    const clock = (): number => {
      // Four rounds of two turns come before the first that counts; each turn reads twice.
      if (++reads === 2 * (8 + 5)) signals$.next('SIGINT');
      return 8 * reads;
    };
    const args = ['--shapes', 'x=2', '--backends', 'js', '--levels', 'none,standard', '--runs', '1000'];
    const { code, stdout, stderr } = await bench(args, { clock, signals$ });
    expect(code).to.equal(130);
    expect(stdout).to.match(/; 2 runs of each, in turns$/m);
    expect(stderr).to.equal('einstream bench: stopped by SIGINT after 2 of 1000 runs\n');
    expect(signals$.observed).to.equal(false);

    const first$: Observable<Signal> = new Subject<Signal>();
    const early = await bench(args, { clock: () => ((first$ as Subject<Signal>).next('SIGTERM'), 0), signals$: first$ });
    expect(early).to.deep.equal({ code: 143, stdout: '', stderr: 'einstream bench: stopped by SIGTERM after 0 of 1000 runs\n' });
  });

  it('needs a graph, known names, and all sizes', async () => {
    for (const [args, says] of [
      [[], /"--shapes": random feeds need all sizes of "x"; got \[n\]; hint: such as --shapes x=64|such as --shapes x=64/],
      [['--levels', 'none,best'], /"--levels": .*got "best"/],
      [['--backends', 'gpu'], /"--backends": .*got "gpu"/],
      [['--runs', '0'], /"--runs": .*got "0"/],
      [['feeds.ndjson', '--shapes', 'x=2'], /"--shapes": feeds are drawn, or read from a file/],
      [['feeds.ndjson', '--seed', '2'], /"--seed": feeds are drawn, or read from a file/],
    ] as const) {
      const { code, stdout, stderr } = await bench(args);
      expect({ code, stdout }, stderr).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr).to.match(says);
    }
    const stdin = await einstream(['bench', '-', '-'], '');
    expect(stdin.stderr).to.match(/the standard input holds the graph or the feeds, not both/);
  });

  it('tells a broken graph by its faults', async () => {
    const broken = files.file(
      'broken.json',
      '{"tensors":["x","y"],"nodes":[{"op":{"ElemUnary":{"op":"frob"}},"inputs":[0],"outputs":[1]}],"inputs":[0],"outputs":[1]}',
    );
    const { code, stdout, stderr } = await einstream(['bench', broken]);
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.match(/frob/);
  });

  it('draws the same feeds from the same seed, for each dtype', () => {
    const g = graph(
      { a: input([64]), b: input(['n', 2], { dtype: 'float64' }), i: input(['n'], { dtype: 'int32' }), t: input([64], { dtype: 'bool' }) }, // prettier-ignore
      ({ a, b, i, t }) => ({ y: where(t, a, 1), z: einsum('nk,n->k', b, sum(b, { axis: 1 })), w: greater(i, 1) }),
    );
    const [one, again, other] = [7, 7, 8].map((seed) => randomFeeds(g, new Map([['i', [32]]]), seed));
    expect(Object.keys(one)).to.deep.equal(['a', 'b', 'i', 't']);
    for (const name of Object.keys(one)) {
      expect([...one[name].data]).to.deep.equal([...again[name].data]);
      expect([...one[name].data]).not.to.deep.equal([...other[name].data]);
    }
    expect(one.b.shape).to.deep.equal([32, 2]);
    const inRange: Readonly<Record<string, (x: number) => boolean>> = {
      a: (x) => x >= -1 && x <= 1,
      b: (x) => x >= -1 && x <= 1,
      i: (x) => Number.isInteger(x) && x >= 0 && x <= 9,
      t: (x) => x === 0 || x === 1,
    };
    for (const [name, holds] of Object.entries(inRange)) {
      const values = Array.from(one[name].data, Number);
      expect(values.every(holds), name).to.equal(true);
      expect(new Set(values).size, name).to.be.greaterThan(1);
    }
  });

  it('measures how far results are off by the largest number of an output', () => {
    const far = (got: readonly number[], want: readonly number[]) => distance(tensor(got), tensor(want));
    expect(far([1, 2], [1, 2])).to.equal(0);
    expect(far([1, 3], [1, 4])).to.equal(0.25);
    expect(far([NaN, Infinity, 0], [NaN, Infinity, -0])).to.equal(0);
    expect(far([NaN], [1])).to.equal(Infinity);
    expect(far([1], [Infinity])).to.equal(Infinity);
    expect(far([1], [1, 2])).to.equal(Infinity);
    expect(distance(tensor([1], { dtype: 'int32' }), tensor([2], { dtype: 'int32' }))).to.equal(Infinity);
  });
});
