/** @file Orders that follow from a seed. */
import { expect } from 'chai';
import { permutation, streamOf, xoshiro } from '../../src/train/permutation.js';

const drawn = (next: () => number, count: number): number[] => Array.from({ length: count }, next);

describe('a seeded order', () => {
  it('is drawn from xoshiro128**, as its reference implementation gives it', () => {
    expect(drawn(xoshiro([1, 2, 3, 4]), 10)).to.deep.equal([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
    ]);
  });

  it('is the same on every machine', () => {
    expect([...permutation(10, streamOf(7, 0))]).to.deep.equal([4, 5, 6, 0, 2, 8, 7, 1, 9, 3]);
    expect([...permutation(10, streamOf(7, 1))]).to.deep.equal([7, 4, 0, 6, 3, 5, 9, 2, 8, 1]);
    expect([...permutation(10, streamOf(-(2 ** 40), 3))]).to.deep.equal([1, 0, 4, 5, 9, 2, 7, 6, 8, 3]);
  });

  it('differs from seed to seed and from draw to draw, also where both are swapped', () => {
    const seeds = [0, 1, 2, -1, 2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER];
    const orders = seeds.flatMap((seed) => [0, 1, 2].map((draw) => permutation(30, streamOf(seed, draw)).join()));
    expect(new Set(orders).size).to.equal(seeds.length * 3);
  });

  it('has each number once, and each order as often as any other', () => {
    const counts = new Map<string, number>();
    for (let draw = 0; draw < 24_000; draw++) {
      const order = permutation(4, streamOf(5, draw)).join();
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).to.equal(24);
    // χ² with 23 degrees of freedom: above 49.7 in one of a thousand fair draws, and these are always the same.
    const chi = [...counts.values()].reduce((total, count) => total + (count - 1000) ** 2 / 1000, 0);
    expect(chi).to.be.lessThan(49.7);
    expect([...permutation(0, streamOf(5, 0))]).to.deep.equal([]);
    expect([...permutation(1, streamOf(5, 0))]).to.deep.equal([0]);
  });
});
