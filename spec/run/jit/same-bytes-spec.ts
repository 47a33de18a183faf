/** @file Bytes compared by the platform, word by word, or one by one. */
import { expect } from 'chai';
import { comparing } from '../../../src/run/jit/same-bytes.js';

/** So many bytes, from a place in a larger buffer. */
function bytes(count: number, from: number, changed = -1): Uint8Array {
  const made = new Uint8Array(new ArrayBuffer(from + count), from);
  for (let i = 0; i < count; i++) made[i] = i * 7 + (i === changed ? 1 : 0);
  return made;
}

describe('sameBytes', () => {
  for (const [by, same] of [
    ['the platform', comparing((a, b) => Buffer.compare(a, b))],
    ['a loop', comparing()],
  ] as const)
    it(`finds the one byte that is not the same, by ${by}`, () => {
      for (const count of [0, 1, 4, 128, 129, 132, 1001])
        for (const [here, there] of [
          [0, 0],
          [4, 8],
          [1, 4],
          [3, 3],
        ]) {
          expect(same(bytes(count, here), bytes(count, there))).to.equal(true);
          for (const changed of [0, count >> 1, count - 1].filter((at) => at >= 0 && at < count))
            expect(same(bytes(count, here), bytes(count, there, changed)), `${count} bytes, ${changed}`).to.equal(false);
        }
    });

  it('does not trouble the platform for a few bytes', () => {
    let calls = 0;
    const same = comparing(() => (calls++, 0));
    expect([same(bytes(128, 0), bytes(128, 0)), calls]).to.deep.equal([true, 0]);
    expect([same(bytes(129, 0), bytes(129, 0)), calls]).to.deep.equal([true, 1]);
  });
});
