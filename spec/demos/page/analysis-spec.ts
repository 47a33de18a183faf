/** @file The graph of the live stream computes what it says, and its windows and numbers are those of the signal. */
import { expect } from 'chai';
import { Subject } from 'rxjs';
import { analysis, COMPARED, SAMPLES, SHOWN, SMOOTHED } from '../../../demos/page/stream/analysis.js';
import { differenceOf, meter } from '../../../demos/page/stream/meter.js';
import { random } from '../../../demos/page/stream/signals.js';
import { credit, windows, type Window } from '../../../demos/page/stream/windows.js';
import { evaluateSync, js, tensor } from '../../../src/index.js';

const next = random(1);
const samples = Array.from({ length: SAMPLES }, (_, k) => 100 + 10 * Math.sin(k / 20) + next());
const outputs = evaluateSync(analysis, { samples }, { backend: js() });

describe('the analysis of a signal', () => {
  const weighted = (values: readonly number[], weigh: (lag: number) => number): number => {
    const weights = values.map((_, k) => weigh(values.length - 1 - k));
    return values.reduce((sum, value, k) => sum + value * weights[k], 0) / weights.reduce((sum, weight) => sum + weight, 0);
  };
  const smoothAt = (at: number): number =>
    weighted(samples.slice(at - SMOOTHED + 1, at + 1), (lag) => Math.exp(-((lag / (SMOOTHED / 2)) ** 2)));

  it('smooths with a kernel on the samples up to each, and judges each by the deviations before it', () => {
    for (const shown of [0, 100, SHOWN - 1]) {
      const at = SAMPLES - SHOWN + shown;
      const before = Array.from({ length: COMPARED }, (_, k) => at - COMPARED + k);
      const squares = before.map((each) => (samples[each] - smoothAt(each)) ** 2);
      const deviation = Math.sqrt(weighted(squares, (lag) => Math.exp(-lag / (COMPARED / 2))));
      expect(outputs.smooth.data[shown]).to.be.closeTo(smoothAt(at), 1e-3);
      expect(outputs.deviation.data[shown]).to.be.closeTo(deviation, 1e-3);
      expect(outputs.score.data[shown]).to.be.closeTo((samples[at] - smoothAt(at)) / deviation, 1e-2);
    }
  });

  it('does not look ahead, and finds a spike', () => {
    const spiked = evaluateSync(analysis, { samples: [...samples.slice(0, -1), 150] }, { backend: js() });
    expect(Math.abs(spiked.score.data[SHOWN - 1] as number)).to.be.greaterThan(3);
    expect(spiked.smooth.data.subarray(0, -1)).to.deep.equal(outputs.smooth.data.subarray(0, -1));
  });
});

describe('windows of a signal', () => {
  it('hold the latest samples, one further on at each tick, and are nobody else’s', () => {
    let at = 0;
    const ticks$ = new Subject<void>();
    const seen: Window[] = [];
    windows(ticks$)(() => ({ value: at, label: String(at++) })).subscribe((window) => seen.push(window));
    ticks$.next();
    ticks$.next();
    const [first, second] = seen.map(({ feed }) => feed.samples.data);
    expect([first[0], first[SAMPLES - 1]]).to.deep.equal([1, SAMPLES]);
    expect([second[0], second[SAMPLES - 1]]).to.deep.equal([2, SAMPLES + 1]);
    expect(seen[0].shown).to.deep.equal(first.subarray(SAMPLES - SHOWN));
    expect(seen[0].labels).to.deep.equal([SHOWN - 1, SHOWN / 2, 0].map((fromEnd) => String(SAMPLES - fromEnd)));
  });

  it('are asked for while there is room', () => {
    const { whenRoom, begin, end } = credit(2);
    const ticks$ = new Subject<number>();
    const passed: number[] = [];
    ticks$.pipe(whenRoom()).subscribe((tick) => {
      passed.push(tick);
      begin();
    });
    for (const tick of [1, 2, 3]) ticks$.next(tick);
    end();
    ticks$.next(4);
    expect(passed).to.deep.equal([1, 2, 4]);
  });
});

describe('the meter', () => {
  const answerOf = (number: number, by: string, latency: number) => ({
    frame: { number, feed: { samples: tensor(samples) } },
    outputs,
    by,
    latency,
  });

  it('counts, times, and finds gaps; the latencies are those of the backend that computes now', () => {
    let time = 0;
    const { feed, answer, read } = meter(() => time);
    for (let k = 0; k < 4; k++) feed();
    answer(answerOf(0, 'a', 1));
    time = 900;
    answer(answerOf(2, 'a', 5));
    answer(answerOf(3, 'b', 9));
    expect(read()).to.deep.equal({ fed: 4, answered: 3, gaps: 1, rate: 3, latencies: [9], median: 9, p95: 9, difference: 0 });
    time = 1500;
    expect(read().rate).to.equal(2);
  });

  it('compares with js: the largest difference, relative to the largest element; NaN is infinitely far', () => {
    const [a, b] = [{ y: tensor([1, 2, 4]) }, { y: tensor([1, 2.5, 4]) }];
    expect(differenceOf(b, a)).to.equal(0.125);
    expect(differenceOf({ y: tensor([1, NaN, 4]) }, a)).to.equal(Infinity);
    const { answer, read } = meter(() => 0);
    answer({ ...answerOf(0, 'a', 1), outputs: { ...outputs, score: tensor(new Float32Array(SHOWN)) } });
    expect(read().difference).to.equal(1);
  });
});
