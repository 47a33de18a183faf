/** @file Regions of one address space: they never meet, they are used again, and they are joined. */
import { expect } from 'chai';
import { ALIGNMENT, allocator } from '../../../src/backends/wasm/allocator.js';
import { propertyRuns, propertySeed } from '../../support/property.js';

const rounded = (bytes: number): number => Math.max(ALIGNMENT, Math.ceil(bytes / ALIGNMENT) * ALIGNMENT);

/** A generator of numbers from 0 to 1 that one seed decides. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

describe('the allocator of a WebAssembly memory', () => {
  it('gives regions that lie inside, are aligned and never meet, and counts their bytes', function () {
    this.timeout(0);
    const [start, end] = [100, 1 << 20];
    const { allocate, release, used } = allocator(start, end);
    const next = random(propertySeed());
    const held: { readonly address: number; readonly bytes: number }[] = [];
    // One entry a unit of the whole space: who holds it.
    const owner = new Int32Array(end / ALIGNMENT).fill(0);
    const mark = (address: number, bytes: number, expected: number, becomes: number): void => {
      for (let unit = address / ALIGNMENT, last = (address + rounded(bytes)) / ALIGNMENT; unit < last; unit++) {
        if (owner[unit] !== expected) throw new Error(`unit ${unit} is held by ${owner[unit]}, not ${expected}`);
        owner[unit] = becomes;
      }
    };
    let [sum, refused, most] = [0, 0, 0];
    for (let step = 1, steps = propertyRuns(100_000, 300_000, 1_000_000); step <= steps; step++) {
      // The share of what is released swings, so that the space fills up and empties again and again.
      if (held.length > 0 && next() < 0.5 + 0.25 * Math.sin(step / 3000)) {
        const [region] = held.splice(Math.floor(next() * held.length), 1);
        mark(region.address, region.bytes, 1, 0);
        release(region.address, region.bytes);
        sum -= rounded(region.bytes);
      } else {
        const bytes = Math.floor(2 ** (next() * 15)) - 1;
        const address = allocate(bytes);
        if (address === undefined) refused++;
        else {
          if (address % ALIGNMENT !== 0 || address < start || address + rounded(bytes) > end)
            throw new Error(`address ${address}`);
          mark(address, bytes, 0, 1);
          held.push({ address, bytes });
          sum += rounded(bytes);
          most = Math.max(most, sum);
        }
      }
      if (used() !== sum) throw new Error(`${used()} bytes in use, not ${sum}`);
    }
    for (const { address, bytes } of held) release(address, bytes);
    expect(used()).to.equal(0);
    expect(refused, 'the space was full at times').to.be.greaterThan(0);
    expect(most / end, 'and well used then').to.be.greaterThan(0.8);
    expect(allocate(end - 128), 'all of it is one region again').to.equal(128);
  });

  it('uses a region of the same size again at once', () => {
    const { allocate, release } = allocator(0, 4096);
    const [first, second] = [allocate(100)!, allocate(100)!];
    release(first, 100);
    expect(allocate(128)).to.equal(first);
    release(second, 100);
    expect(allocate(65)).to.equal(second);
  });

  it('joins neighbours, in whatever order they came back, and cuts the smallest that fits', () => {
    for (const order of [
      [0, 1, 2],
      [2, 0, 1],
      [1, 2, 0],
    ]) {
      // prettier-ignore
      const { allocate, release, used } = allocator(0, 640);
      const regions = Array.from({ length: 10 }, () => allocate(64)!);
      expect(allocate(64)).to.equal(undefined);
      for (const k of order) release(regions[2 + k], 64);
      release(regions[7], 64);
      expect(allocate(192)).to.equal(regions[2]);
      expect(allocate(64)).to.equal(regions[7]);
      expect(used()).to.equal(640);
    }
  });

  it('has room for nothing when there is none', () => {
    expect(allocator(0, 63).allocate(1)).to.equal(undefined);
    expect(allocator(0, 64).allocate(0)).to.equal(0);
    expect(allocator(1, 127).allocate(1)).to.equal(undefined);
    expect(allocator(0, 2 ** 32).allocate(2 ** 33)).to.equal(undefined);
  });
});
