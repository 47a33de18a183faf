/** @file Sizes of chunks that follow the time they take (F017, F020). */
import { expect } from 'chai';
import fc from 'fast-check';
import { adaptiveSize, type ChunkTime } from '../../../src/index.js';
import { propertyRuns, propertySeed } from '../../support/property.js';

/** Sizes of chunks whose rows take so long each. */
function sizes(msPerRow: number, count: number, options: Parameters<typeof adaptiveSize>[1] = {}): number[] {
  const history: ChunkTime[] = [];
  while (history.length < count) {
    const size = adaptiveSize(history, options);
    history.push({ size, ms: size * msPerRow });
  }
  return history.map(({ size }) => size);
}

describe('adaptiveSize (F017) (F020)', () => {
  it('is 32 without history, or what is asked for', () => {
    expect([adaptiveSize([]), adaptiveSize([], { initial: 64 }), adaptiveSize([], { initial: 5000 })]).to.deep.equal([
      32, 64, 1000,
    ]);
  });

  it('moves towards targetMs, 100 by default, and stays there', () => {
    expect(sizes(1, 5)).to.deep.equal([32, 64, 100, 100, 100]);
    expect(sizes(10, 5)).to.deep.equal([32, 16, 10, 10, 10]);
    expect(sizes(1, 5, { targetMs: 20 })).to.deep.equal([32, 20, 20, 20, 20]);
  });

  it('is between 1 and 1000, also for rows that take no time, or far too long', () => {
    expect(sizes(0, 8)).to.deep.equal([32, 64, 128, 256, 512, 1000, 1000, 1000]);
    expect(sizes(1e6, 8)).to.deep.equal([32, 16, 8, 4, 2, 1, 1, 1]);
  });

  it('is not moved by one chunk that took long', () => {
    const steady = Array.from({ length: 4 }, () => ({ size: 100, ms: 100 }));
    expect(adaptiveSize([...steady, { size: 100, ms: 9000 }])).to.equal(100);
  });

  it('is an integer within its bounds, at most twice and at least half of the last, for any history', () => {
    const history = fc.array(fc.record({ size: fc.integer({ min: 1, max: 1000 }), ms: fc.double({ min: 0, max: 1e9, noNaN: true }) }), { minLength: 1 }); // prettier-ignore
    fc.assert(
      fc.property(history, (times) => {
        const size = adaptiveSize(times);
        const last = times.at(-1)!.size;
        expect(Number.isInteger(size)).to.equal(true);
        expect(size).to.be.within(Math.max(1, Math.floor(last / 2)), Math.min(1000, 2 * last));
      }),
      { seed: propertySeed(), numRuns: propertyRuns(50, 1000, 10_000) },
    );
  });
});
