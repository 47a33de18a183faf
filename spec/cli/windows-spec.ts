import { expect } from 'chai';
import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastValueFrom, toArray } from 'rxjs';
import { days } from '../../demos/sp500/days.js';
import { graph, input, max, mean, sum } from '../../src/index.js';
import { einstream } from '../support/commandLine.js';
import { graphFiles } from '../support/graphFiles.js';
import { propertyRuns, propertySeed } from '../support/property.js';

const DAY = 86_400_000;
const linesOf = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const parsed = (text: string): readonly Record<string, unknown>[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('einstream run --window', () => {
  const files = graphFiles();
  const path = files.file(
    'sums.json',
    graph({ x: input(['n'], { dtype: 'float64' }) }, ({ x }) => ({ y: sum(x) })),
  );
  after(() => files.remove());
  const windows = async (rows: readonly object[], ...args: string[]) => {
    const said = await einstream(['run', path, ...args], linesOf(rows));
    return { ...said, told: parsed(said.stdout).map(({ window, y }) => [window, y]) };
  };
  const at = (...times: readonly number[]) => times.map((t) => ({ t, x: 1 + (t % 7) }));

  it('stacks so many lines along axis 0; a window may begin before the last one ends, and the last may be shorter', async () => {
    const rows = [1, 2, 3, 4, 5].map((x) => ({ x }));
    expect((await windows(rows, '--window', 'count=2')).told).to.deep.equal([
      [[0, 2], 3],
      [[2, 4], 7],
      [[4, 5], 5],
    ]);
    expect((await windows(rows, '--window', 'count=3/1')).told).to.deep.equal([
      [[0, 3], 6],
      [[1, 4], 9],
      [[2, 5], 12],
    ]);
  });

  it('stacks what is no scalar, every input of the graph', async () => {
    const wide = files.file(
      'wide.json',
      graph({ x: input(['n', 2]), w: input(['n', 2, 1]) }, ({ x, w }) => ({ x, w })),
    );
    const rows = [1, 2].map((k) => ({ x: [k, k], w: [[k], [-k]] }));
    expect((await einstream(['run', wide, '--window', 'count=2'], linesOf(rows))).stdout).to.equal(
      '{"window":[0,2],"x":[[1,1],[2,2]],"w":[[[1],[-1]],[[2],[-2]]]}\n',
    );
  });

  it('of time are those of a batch computation, in any order of lines within the delay', async () => {
    const times = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 40 });
    const cases = fc.tuple(times, fc.constantFrom([50, 50], [50, 20], [7, 3], [90, 30]));
    await fc.assert(
      fc.asyncProperty(cases, async ([all, [size, every]]) => {
        const rows = at(...all);
        const spec = size === every ? `tumbling=${size}ms` : `hopping=${size}ms/${every}ms`;
        const { told, stderr } = await windows(rows, '--window', spec, '--time', 't', '--delay', '400ms');
        const starts = new Set(
          rows.flatMap(({ t }) => Array.from({ length: 40 }, (_, k) => (Math.floor(t / every) - k) * every)),
        );
        const expected = [...starts]
          .map((start) => ({ start, inside: rows.filter(({ t }) => t >= start && t < start + size) }))
          .filter(({ inside }) => inside.length > 0)
          .sort((a, b) => a.start - b.start)
          .map(({ start, inside }) => [[start, start + size], inside.reduce((total, { x }) => total + x, 0)]);
        expect(told).to.deep.equal(expected);
        expect(stderr).to.match(/^(stdin:1: warning: "t" is no input.*\n)?$/);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(10, 300, 3000) },
    );
  });

  it('of time begin later by what follows a plus', async () => {
    const rows = at(0, 3, 9, 12, 14);
    expect((await windows(rows, '--window', 'tumbling=10ms+4ms', '--time', 't')).told.map(([window]) => window)).to.deep.equal([[-6, 4], [4, 14], [14, 24]]); // prettier-ignore
    expect((await windows(rows, '--window', 'hopping=10ms/5ms+1ms', '--time', 't')).told.map(([window]) => window)).to.deep.equal([[-9, 1], [-4, 6], [1, 11], [6, 16], [11, 21]]); // prettier-ignore
  });

  it('of sessions end after a pause', async () => {
    const { told } = await windows(at(0, 14, 7, 50, 56), '--window', 'session=10ms', '--time', 't', '--delay', '100ms');
    expect(told).to.deep.equal([
      [[0, 24], 3],
      [[50, 66], 3],
    ]);
  });

  it('of weeks of the S&P 500 are those computed from the whole file', async () => {
    const all = await lastValueFrom(days().pipe(toArray()));
    const weekly = files.file(
      'weekly.json',
      graph({ close: input(['n'], { dtype: 'float64' }) }, ({ close }) => ({ high: max(close), mean: mean(close) })),
    );
    const rows = all.map(({ date, prices }) => ({ date, close: prices[2] }));
    const { stdout } = await einstream(['run', weekly, '--window', 'tumbling=7d', '--time', 'date'], linesOf(rows));
    const weeks = new Map<number, number[]>();
    for (const { date, close } of rows) {
      const week = Math.floor(Date.parse(date) / (7 * DAY)) * 7 * DAY;
      weeks.set(week, [...(weeks.get(week) ?? []), close]);
    }
    const told = parsed(stdout);
    expect(told.length).to.equal(weeks.size).and.to.be.greaterThan(1000);
    expect(told.map(({ window, high }) => [(window as number[])[0], high])).to.deep.equal([...weeks].map(([start, closes]) => [start, Math.max(...closes)])); // prettier-ignore
    for (const [index, closes] of [...weeks.values()].entries())
      expect(told[index]['mean']).to.be.closeTo(closes.reduce((a, b) => a + b) / closes.length, 1e-9);
  });

  it('tells of a line that comes too late as an error with its number, or writes it as it came to --late', async () => {
    const rows = at(5, 25, 8, 15);
    const failed = await windows(rows, '--window', 'tumbling=10ms', '--time', 't');
    expect(failed).to.deep.include({ code: 1, told: [[[0, 10], 6]] });
    expect(failed.stderr).to.match(
      /^stdin:3: E_EXPIRED "--window": a line came when its window was closed.*--delay.*--late FILE/m,
    );
    const late = join(files.folder, 'late.ndjson');
    const kept = await windows(rows, '--window', 'tumbling=10ms', '--time', 't', '--late', late);
    expect(kept.code).to.equal(0);
    expect(readFileSync(late, 'utf8')).to.equal(linesOf([rows[2], rows[3]]));
    const waited = await windows(rows, '--window', 'tumbling=10ms', '--time', 't', '--delay', '20ms');
    expect(waited.told.map(([window]) => window)).to.deep.equal([[0, 10], [10, 20], [20, 30]]); // prettier-ignore
  });

  it('reads times as numbers and as text, and a time that is an input, too', async () => {
    const timed = files.file(
      'timed.json',
      graph({ t: input(['n'], { dtype: 'float64' }) }, ({ t }) => ({ last: max(t) })),
    );
    const texts = ['1970-01-01', '1970-01-01T00:00:01Z', '1970-01-01T02:00:02.5+02:00'].map((t) => ({ t, x: 1 }));
    expect((await windows(texts, '--window', 'tumbling=3s', '--time', 't')).told).to.deep.equal([[[0, 3000], 3]]);
    const numbers = linesOf([{ t: 1.5e12 + 1 }, { t: 1.5e12 + 2 }]);
    expect((await einstream(['run', timed, '--window', 'tumbling=1d', '--time', 't'], numbers)).stdout).to.match(
      /"last":1500000000002\}/,
    );
    for (const t of ['2000-02-30', '2000-13-01', '2000-01-01T10:00', 'today', '', true, null, [1]]) {
      const { stderr, code } = await windows([{ t, x: 1 }], '--window', 'tumbling=3s', '--time', 't');
      expect({ code, says: /^stdin:1:\d+: E_FEED "t" is the time of a line; expected milliseconds/.test(stderr) }, String(t)).to.deep.equal({ code: 1, says: true }); // prettier-ignore
    }
    const { stderr } = await windows([{ x: 1 }], '--window', 'tumbling=3s', '--time', 't');
    expect(stderr).to.match(/^stdin:1: E_FEED "t": every line needs its time .*got no "t"/);
  });

  it('names the lines of a window that fails, and goes on where it is told to', async () => {
    const rows = [{ x: 1 }, { x: 2 }, { x: [3] }, { x: 4 }, { x: 5 }, { x: 6 }];
    const { code, told, stderr } = await windows(rows, '--window', 'count=2', '--on-error', 'skip');
    expect({ code, told }).to.deep.equal({
      code: 1,
      told: [
        [[0, 2], 3],
        [[4, 6], 11],
      ],
    });
    expect(stderr).to.match(/^stdin:3: E_SHAPE "x".* \[window of lines 3 to 4\]\neinstream run: 1 of 6 lines failed\n$/);
  });

  const named = files.file(
    'named.json',
    graph({ x: input(['n']) }, ({ x }) => ({ window: x })),
  );
  const coarse = files.file(
    'coarse.json',
    graph({ t: input(['n']) }, ({ t }) => ({ t })),
  );
  const REFUSED: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    [['--window', 'weekly'], /"--window": a window is one of four kinds.*tumbling=60s.*got "weekly"/],
    [['--window', 'tumbling=60'], /got "tumbling=60"/],
    [['--window', 'tumbling=0s', '--time', 't'], /got "tumbling=0s"/],
    [['--window', 'hopping=10s/20s', '--time', 't'], /every line must be in one/],
    [['--window', 'count=0'], /got "count=0"/],
    [['--window', 'count=4+1'], /got "count=4\+1"/],
    [['--window', 'tumbling=4s+1', '--time', 't'], /got "tumbling=4s\+1"/],
    [['--window', 'tumbling=60s'], /"--window": .*give --time NAME/],
    [['--window', 'count=4', '--time', 't'], /"--time": count windows take lines as they come/],
    [['--window', 'count=4', '--late', 'f'], /"--late": count windows/],
    [['--time', 't'], /"--time": .*give --window SPEC/],
    [['--late', 'f'], /"--late": .*give --window SPEC/],
    [['--window', 'session=1s', '--time', 't', '--delay', '5'], /"--delay": a duration is a number and its unit.*got "5"/],
  ];
  it('is refused where its options do not go together, with a way out', async () => {
    for (const [args, says] of REFUSED) {
      const { code, stderr, stdout } = await einstream(['run', path, ...args]);
      expect({ code, stdout }, args.join(' ')).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr).to.match(says);
    }
    expect((await einstream(['run', named, '--window', 'count=4'])).stderr).to.match(/E_ARGUMENT "--window": .*give the output another name/); // prettier-ignore
    expect((await einstream(['run', coarse, '--window', 'tumbling=1s', '--time', 't'])).stderr).to.match(/E_ARGUMENT "--time": .*expected float64, got float32, which is too coarse/); // prettier-ignore
  });
});
