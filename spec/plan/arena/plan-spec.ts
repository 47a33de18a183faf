/** @file Offsets in one arena: values that live at the same time never overlap, however they are placed. */
import { expect } from 'chai';
import fc from 'fast-check';
import { liveBytes } from '../../../src/plan/arena/blocks.js';
import { bestFit, exactFit, firstFit, powerOfTwo, type Fit } from '../../../src/plan/arena/fit.js';
import { placeBySize, placeInTime } from '../../../src/plan/arena/place.js';
import { PLACEMENTS, planMemory, type PlacementName } from '../../../src/plan/arena/plan.js';
import { propertyRuns, propertySeed } from '../../support/property.js';

type Life = readonly [bytes: number, born: number, dies: number];

const sizes = (lives: readonly Life[]) => ({
  bytes: Float64Array.from(lives, ([bytes]) => bytes),
  born: Int32Array.from(lives, ([, born]) => born),
  dies: Int32Array.from(lives, ([, , dies]) => dies),
});

/** One trace with a hole of 96, then one of 64, and a request of 64 when both are free. */
const trace: readonly Life[] = [[96, 0, 2], [32, 1, 9], [64, 2, 2], [32, 2, 9], [64, 3, 9], [128, 4, 9]]; // prettier-ignore

const offsetsOf = (fit: Fit): number[] => [...placeInTime(sizes(trace), fit)!.offsets];

describe('placement (F075)', () => {
  it('puts one trace at four known places', () => {
    expect(offsetsOf(bestFit)).to.deep.equal([0, 96, 128, 192, 128, 224]);
    expect(offsetsOf(firstFit)).to.deep.equal([0, 96, 128, 192, 0, 224]);
    expect(offsetsOf(exactFit)).to.deep.equal([0, 96, 128, 192, 128, 224]);
    expect(offsetsOf(powerOfTwo())).to.deep.equal([0, 128, 192, 256, 192, 0]);
  });

  it('never cuts a range with exact fit, and finds the lowest with first fit', () => {
    const free = [{ offset: 0, bytes: 96 }, { offset: 128, bytes: 64 }]; // prettier-ignore
    expect([bestFit, firstFit, exactFit, powerOfTwo()].map((fit) => fit.choose(free, fit.sized(64)))).to.deep.equal([1, 0, 1, 1]);
    expect([bestFit, firstFit, exactFit, powerOfTwo()].map((fit) => fit.choose(free, fit.sized(60)))).to.deep.equal([
      1, 0, -1, 1,
    ]);
    expect([bestFit, firstFit, exactFit].map((fit) => fit.choose(free, 97))).to.deep.equal([-1, -1, -1]);
  });

  it('places the largest values first, in gaps between those that live at the same time', () => {
    const { offsets, bytes } = placeBySize(sizes([[10, 0, 1], [20, 1, 2], [30, 2, 3], [10, 3, 4]])); // prettier-ignore
    expect([...offsets]).to.deep.equal([0, 30, 0, 30]);
    expect(bytes).to.equal(50);
  });
});

const anyLives = fc
  .array(
    fc.record({ bytes: fc.integer({ min: 0, max: 40 }), lasts: fc.nat(12), skip: fc.nat(1), over: fc.nat(5), is: fc.nat(3) }),
    { maxLength: 60 },
  )
  .map((drawn) => {
    let at = 0;
    const lives = drawn.map(({ bytes, lasts, skip }): Life => {
      const born = (at += skip) - 0;
      at++;
      return [8 * bytes, born, born + lasts];
    });
    const over = drawn.map(({ over: back, is }, index) => (is > 0 ? -1 : Math.max(-1, index - 1 - back)));
    return { lives, over };
  });

describe('planMemory', () => {
  it('lets no two values overlap that live at the same time, save where one is written over the other (seeded)', () => {
    fc.assert(
      fc.property(anyLives, fc.constantFrom(...PLACEMENTS), fc.constantFrom(8, 64), ({ lives, over }, placement, unit) => {
        const { bytes, born, dies } = sizes(lives);
        const rounded = (size: number): number => Math.ceil(size / unit) * unit;
        // Sizes stand for kinds; large enough that the automatic choice looks for an arena.
        const scaled = bytes.map((size) => 512 * size);
        const lifetimes = { kinds: Int32Array.from(bytes), born, dies, over: Int32Array.from(over) };
        const plan = planMemory(lifetimes, scaled, { placement, rounded, most: Infinity });
        expect(plan.bytes).to.be.at.least(liveBytes(plan.blocks));
        const start = (value: number): number => plan.offsets?.[value] ?? 1e12 * plan.buffers[value];
        for (let later = 0; later < lives.length; later++) {
          if (plan.offsets !== undefined) expect(start(later) + scaled[later]).to.be.at.most(plan.bytes);
          for (let earlier = 0; earlier < later; earlier++) {
            const isApart = start(earlier) + scaled[earlier] <= start(later) || start(later) + scaled[later] <= start(earlier);
            if (dies[earlier] < born[later] || isApart || scaled[earlier] * scaled[later] === 0) continue;
            const isSame = start(earlier) === start(later) && scaled[earlier] === scaled[later] && dies[earlier] === born[later];
            expect(over[later] === earlier && isSame, `${earlier} and ${later} by ${placement}`).to.equal(true);
          }
        }
      }),
      { seed: propertySeed(), numRuns: propertyRuns(500, 5_000, 200_000) },
    );
  });

  it('takes the plan that needs least by itself, and separate buffers where that is as good', () => {
    const of = (lives: readonly Life[], placement: PlacementName) => {
      const columns = sizes(lives);
      return planMemory({ ...columns, kinds: Int32Array.from(columns.bytes) }, columns.bytes, {
        placement,
        rounded: (bytes) => bytes,
        most: 1e6,
      });
    };
    const mixed: readonly Life[] = [[40_000, 0, 1], [20_000, 1, 2], [16_000, 2, 3], [24_000, 3, 4]]; // prettier-ignore
    expect(of(mixed, 'auto').offsets).to.not.equal(undefined);
    expect(of(mixed, 'auto').bytes).to.equal(60_000);
    expect(of(mixed, 'exactFit').bytes).to.equal(100_000);
    const alike: readonly Life[] = [[40_000, 0, 1], [40_000, 1, 2], [40_000, 2, 3]]; // prettier-ignore
    expect(of(alike, 'auto')).to.include({ offsets: undefined, bytes: 80_000, count: 2 });
    expect(of([[2e6, 0, 1], [1e6, 2, 3]], 'bestFit').offsets, 'more than an arena may be').to.equal(undefined); // prettier-ignore
  });

  it('is linear: a chain of many sizes and a star of many values are planned at once', () => {
    const count = propertyRuns(20_000, 100_000, 100_000);
    const chain = Array.from({ length: count }, (_, at): Life => [4096 + 8 * (at % 97), at, at + 1 + (at % 5)]);
    const star = Array.from({ length: count }, (_, at): Life => [4096 + 8 * (at % 97), at, at % 2 === 0 ? count : at + 1]);
    for (const lives of [chain, star]) {
      const columns = sizes(lives);
      const lifetimes = { ...columns, kinds: Int32Array.from(columns.bytes) };
      let compared = 0;
      const rounded = (bytes: number): number => (compared++, bytes);
      const plan = planMemory(lifetimes, columns.bytes, { placement: 'auto', rounded, most: 2 ** 31 });
      expect(plan.bytes).to.be.at.least(liveBytes(plan.blocks));
      expect(compared).to.be.at.most(count);
    }
  });
});
