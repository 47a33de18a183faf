/** @file How long a request waits before it is tried again (P16). */
import { expect } from 'chai';
import { readRetry, waitAfter } from '../../../src/stream/pool/backoff.js';
import { after } from '../../../src/stream/pool/timers.js';
import { VirtualTimeScheduler } from 'rxjs';

const waits = (retry: Parameters<typeof readRetry>[0], chance: number, count = 4): readonly number[] => {
  const backoff = readRetry(retry);
  return Array.from({ length: count }, (_, k) => waitAfter(backoff, k + 1, chance));
};

describe('the wait before the next attempt', () => {
  it('is delay, then each time longer by the factor, up to the cap', () => {
    expect(waits({ delayMs: 100, jitter: 0 }, 0.7)).to.deep.equal([100, 200, 400, 800]);
    expect(waits({ delayMs: 100, factor: 3, maxDelayMs: 500, jitter: 0 }, 0.7)).to.deep.equal([100, 300, 500, 500]);
    expect(waits({ delayMs: 100, jitter: 0 }, 0.7, 60).at(-1)).to.equal(1000);
  });

  it('is shorter by chance, by the jitter at most', () => {
    expect(waits({ delayMs: 100, jitter: 0.5 }, 1)).to.deep.equal([50, 100, 200, 400]);
    expect(waits({ delayMs: 100, jitter: 1 }, 0.25)).to.deep.equal([75, 150, 300, 600]);
    expect(waits({}, 0)).to.deep.equal([10, 20, 40, 80]);
    expect(waits({}, 1)).to.deep.equal([5, 10, 20, 40]);
  });
});

describe('a timer of a pool', () => {
  it('comes on the scheduler, later than now even after 0 ms, and never after Infinity', () => {
    const time = new VirtualTimeScheduler();
    const heard: unknown[] = [];
    for (const ms of [5, 0, -3, Infinity, 2 ** 31]) after(time, ms, () => heard.push([ms, time.frame]));
    expect(heard).to.deep.equal([]);
    time.flush();
    expect(heard).to.deep.equal([[0, 0], [-3, 0], [5, 5]]); // prettier-ignore
  });
});
