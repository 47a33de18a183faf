/** @file The demos run, say what they should, and the main job gives the same from the command line. */
import { isLarge, propertyRuns } from './support/property.js';
import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstValueFrom, map, toArray } from 'rxjs';
import { evaluateSync } from '../src/index.js';
import { serializeGraph } from '../src/graph/formats/serialize.js';
import { anomaly, DAYS } from '../demos/sp500/anomaly.js';
import { COLUMNS, days } from '../demos/sp500/days.js';
import { percentile, sparkline } from '../demos/sp500/figures.js';
import { strangest } from '../demos/sp500/report.js';
import { rolling } from '../demos/sp500/rolling.js';
import { scoreDays } from '../demos/sp500/score.js';
import { buildProgram, einstream } from './support/commandLine.js';
import { runProcess, type Finished } from './support/runProcess.js';
import { projectRoot } from './support/sourceFiles.js';

async function runDemo(name: string): Promise<Finished> {
  const program = await buildProgram(`demos/${name}.ts`);
  const finished = runProcess(process.execPath, [program.path]);
  program.remove();
  return finished;
}

// Each is a process that compiles the engine first.
if (isLarge()) {
  describe('the demos', function () {
    this.timeout(60_000);

    it('are these; each says in its header what it shows', () => {
      const names = readdirSync(join(projectRoot, 'demos')).filter((name) => name.endsWith('.ts'));
      const demos = ['feeds.ts', 'graph.ts', 'iris.ts', 'live.ts', 'mnist.ts', 'replay.ts', 'save.ts', 'start.ts'];
      expect(names.sort()).to.deep.equal(demos);
      for (const name of names)
        expect(readFileSync(join(projectRoot, 'demos', name), 'utf8')).to.match(/^\/\*\*\n \* @file [^\n]{20,}/);
    });

    it('start: finds ten days, known crises among them, and reports them in a few lines', () => {
      const { status, stdout, stderr } = runProcess('npm', ['start', '--silent']);
      expect(status, stderr).to.equal(0);
      const listed = stdout.split('\n').filter((line) => /^ +\d+ {2}\d{4}-\d\d-\d\d /.test(line));
      expect(listed).to.have.length(10);
      for (const crisis of ['2008-09-29', '2010-05-06', '2020-03-12']) expect(stdout).to.contain(crisis);
      expect(stdout).to.match(/^ {2}[▁▂▃▄▅▆▇█]{72}$/m);
      expect(stdout).to.match(/^ {2}4,984 frames in [\d.]+ s, [\d,]+ frames\/s; latency p50 \d+ µs, p95 \d+ µs, p99 \d+ µs$/m);
      for (const line of stdout.split('\n')) expect(line.length).to.be.at.most(100);
      expect(stderr.trim().split('\n'), 'progress, without a terminal').to.have.length(3);
    });

    it('graph: shows faults, shapes, steps and outputs of one graph', async () => {
      expect(await runDemo('graph')).to.deep.equal({
        status: 0,
        stderr: '',
        stdout: [
          'faults  0',
          'shapes  x [4, 3]  w [3, 2]  b [2]  einsum_3 [4, 2]  add_4 [4, 2]  y [4, 2]',
          'steps   none: einsum → add → relu',
          'steps   standard: fusedContraction',
          'output  [[6,6],[0,0]]',
          'output  [[9,12]]',
          '',
        ].join('\n'),
      });
    });

    it('live: computes again only what lies below a change', async () => {
      const { status, stdout, stderr } = await runDemo('live');
      expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
      expect(
        stdout
          .trim()
          .split('\n')
          .map((line) => line.match(/new|kept/g)!.join()),
      ).to.deep.equal(['new,new', 'new,kept', 'kept,new', 'new,new']);
    });

    it('replay: finds the worst weeks in days that come out of order, and counts the late ones', async () => {
      const { status, stdout, stderr } = await runDemo('replay');
      expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
      expect(stdout).to.match(/^5,105 days as they came, [\d.]+ days a millisecond: 1,059 weeks$/m);
      expect(stdout).to.match(/^told 1,083 times, 24 of them again for days that came late; 50 days came too late$/m);
      expect(stdout.match(/^ {2}\d{4}-\d\d-\d\d {2}5 days {2}-[\d.]+ %$/gm)).to.have.length(5);
      expect(stdout).to.contain('  2008-10-06  5 days  -14.9 %');
    });

    it('save: prints the graph file that lies beside it', async () => {
      const file = readFileSync(join(projectRoot, 'demos/anomaly.json'), 'utf8');
      expect((await runDemo('save')).stdout).to.equal(file);
      expect(serializeGraph(anomaly)).to.equal(file);
    });
  });
}

if (isLarge())
  describe('the flowers demo', () => {
    it('names 95 of 100 irises rightly, each by a network that has not seen it, in a second', async () => {
      const { status, stdout, stderr } = await runDemo('iris');
      expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
      expect(stdout).to.match(/^ +setosa( +(\d+|·)){3}\n +versicolor( +(\d+|·)){3}\n +virginica( +(\d+|·)){3}$/m);
      const [, right] = /^ {2}(\d+) of 150 right \(9\d\.\d %\), in [\d.]+ s of processor time$/m.exec(stdout)!;
      expect(Number(right)).to.be.at.least(143);
      for (const line of stdout.split('\n')) expect(line.length).to.be.at.most(100);
    }).timeout(60_000);
  });

describe('the main job', function () {
  this.timeout(60_000);

  it('gives the same scores, to the last bit, as its graph file on the command line', async () => {
    const scored = await firstValueFrom(days().pipe(scoreDays(), toArray()));
    const few = propertyRuns(300, scored.length, scored.length);
    const feeds = (await runDemo('feeds')).stdout.split('\n').slice(0, few).join('\n');
    const { code, stdout, stderr } = await einstream(['run', join(projectRoot, 'demos/anomaly.json')], feeds);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    const printed = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { score: number; change: number });
    expect(printed).to.deep.equal(scored.slice(0, few).map(({ score, change }) => ({ score, change })));
    expect(scored).to.have.length(4984);
    const dates = strangest(scored, 10).map(({ date }) => date);
    expect(dates).to.include.members(['2007-02-27', '2008-09-29', '2010-05-06', '2020-03-12']);
  });

  it('computes what it says: z-scores, a covariance, its inverse, and the distance', async () => {
    const rows = await firstValueFrom(days().pipe(map(({ prices }) => prices), toArray())); // prettier-ignore
    for (const end of [DAYS, 2200, rows.length]) {
      const prices = rows.slice(end - DAYS, end);
      const kept = evaluateSync(anomaly, { prices }, { keep: ['z', 'covariance', 'precision'] });
      const returns = prices.slice(1).map((row, t) => row.map((price, k) => Math.log(price / prices[t][k])));
      const [before, today] = [returns.slice(0, -1), returns.at(-1)!];
      const usual = COLUMNS.map((_, k) => before.reduce((sum, row) => sum + row[k], 0) / before.length);
      const spread = COLUMNS.map((_, k) =>
        Math.sqrt(before.reduce((sum, row) => sum + (row[k] - usual[k]) ** 2, 0) / before.length),
      );
      const z = today.map((value, k) => (value - usual[k]) / spread[k]);
      const history = before.map((row) => row.map((value, k) => (value - usual[k]) / spread[k]));
      const covariance = COLUMNS.map((_, f) =>
        COLUMNS.map((__, g) => history.reduce((sum, row) => sum + row[f] * row[g], 0) / before.length),
      );
      const regular = covariance.map((row, f) => row.map((value, g) => 0.9 * value + (f === g ? 0.1 : 0)));
      const precision = kept['precision'].toArray() as number[][];
      const near = (actual: unknown, expected: readonly number[]) =>
        (actual as number[]).forEach((value, k) => expect(value).to.be.closeTo(expected[k], 1e-9));
      near(kept['z'].toArray(), z);
      (kept['covariance'].toArray() as number[][]).forEach((row, f) => near(row, covariance[f]));
      regular.forEach((row, f) =>
        near(
          COLUMNS.map((_, g) => row.reduce((sum, value, k) => sum + value * precision[k][g], 0)),
          COLUMNS.map((_, g) => Number(f === g)),
        ),
      );
      const distance = Math.sqrt(
        z.reduce((sum, value, f) => sum + value * precision[f].reduce((inner, weight, g) => inner + weight * z[g], 0), 0),
      );
      expect(kept.score.toArray()).to.be.closeTo(distance, 1e-9);
    }
  });

  it('makes windows that are views of one buffer, each one day further on', async () => {
    const buffers = new Set<unknown>();
    const seen = await firstValueFrom(
      days().pipe(
        rolling(3, COLUMNS.length),
        map(({ date, prices }) => {
          buffers.add(prices.buffer);
          return { date, prices: prices.toArray() as number[][] };
        }),
        toArray(),
      ),
    );
    const rows = await firstValueFrom(days().pipe(toArray()));
    expect(seen).to.deep.equal(
      rows.slice(2).map(({ date }, k) => ({ date, prices: rows.slice(k, k + 3).map(({ prices }) => prices) })),
    );
    expect(buffers.size).to.equal(1);
  });

  it('draws and counts as it should', () => {
    expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7], 4)).to.equal('▂▄▆█');
    expect([50, 95, 100].map((share) => percentile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], share))).to.deep.equal([5, 10, 10]);
  });
});
