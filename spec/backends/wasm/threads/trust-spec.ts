/** @file Help is asked for less and less while it does not pay, and again when it does. */
import { expect } from 'chai';
import { trust } from '../../../../src/backends/wasm/threads/trust.js';

/** Kernels that are computed alone before the next one is shared. */
const alone = (isGiven: () => boolean): number => {
  let count = 0;
  while (!isGiven()) count++;
  return count;
};

describe('trust in workers', () => {
  it('rests twice as long after each loss, up to a limit', () => {
    const { isGiven, learn } = trust(64);
    const rests = Array.from({ length: 9 }, () => {
      learn(3, 2);
      return alone(isGiven);
    });
    expect(rests).to.deep.equal([1, 2, 4, 8, 16, 32, 64, 64, 64]);
  });

  it('comes back with a gain, and a later loss weighs less for it', () => {
    const { isGiven, learn } = trust(64);
    expect(alone(isGiven)).to.equal(0);
    for (let loss = 0; loss < 3; loss++) learn(3, 2);
    expect(alone(isGiven)).to.equal(4);
    learn(1, 2);
    expect(alone(isGiven), 'after a gain').to.equal(0);
    learn(3, 2);
    expect(alone(isGiven), 'three losses but for a gain').to.equal(4);
  });

  it('never rests where that is not allowed', () => {
    const { isGiven, learn } = trust(0);
    learn(3, 2);
    expect(alone(isGiven)).to.equal(0);
  });
});
