/** @file Numbers to places and words, and a count of what is subscribed to. */
import { expect } from 'chai';
import { NEVER, of } from 'rxjs';
import { gauge } from '../../../demos/page/ui/gauge.js';
import { brief, extent, linear, percent, percentile, ticks } from '../../../demos/page/ui/scale.js';

describe('scales of the page', () => {
  it('map a domain to a range, and a domain of one point to its start', () => {
    expect([0, 5, 10].map(linear([0, 10], [100, 0]))).to.deep.equal([100, 50, 0]);
    expect(linear([3, 3], [7, 9])(3)).to.equal(7);
  });

  it('have ticks at round numbers', () => {
    expect(ticks([0, 10], 5)).to.deep.equal([0, 2, 4, 6, 8, 10]);
    expect(ticks([1003, 1398], 4)).to.deep.equal([1100, 1200, 1300]);
    expect(ticks([-1, 1], 2)).to.deep.equal([-1, 0, 1]);
    expect(ticks([1, 1], 2)).to.deep.equal([]);
  });

  it('leave air around values, and have an extent without any', () => {
    expect(extent([0, 10], 0.1)).to.deep.equal([-1, 11]);
    expect(extent([5, 5], 0.1)).to.deep.equal([4.5, 5.5]);
    expect(extent([])).to.deep.equal([0, 1]);
  });

  it('have percentiles', () => {
    const values = [9, 1, 2, 3, 4, 5, 6, 7, 8, 10];
    expect([0, 50, 95].map((share) => percentile(values, share))).to.deep.equal([1, 5, 10]);
    expect(percentile([], 50)).to.deep.equal(NaN);
  });

  it('write numbers shortly', () => {
    expect([0, 0.1234, 12.345, 9999, -1234567, 4.1e-6, NaN].map(brief)).to.deep.equal(
      ['0', '0.123', '12.3', '10,000', '-1.2 · 10⁶', '4.1 · 10⁻⁶', '–'], // prettier-ignore
    );
    expect(percent(0.9123)).to.equal('91.2 %');
  });
});

describe('a gauge', () => {
  it('counts who is subscribed', () => {
    const { open$, watch } = gauge();
    const counts: number[] = [];
    open$.subscribe((count) => counts.push(count));
    const subscription = NEVER.pipe(watch()).subscribe();
    of(1).pipe(watch()).subscribe();
    subscription.unsubscribe();
    expect(counts).to.deep.equal([0, 1, 2, 1, 0]);
  });
});
