/** @file Buffers: values that live at the same time never share one, and others do. */
import { expect } from 'chai';
import fc from 'fast-check';
import { planBuffers, type Lifetimes } from '../../src/plan/memory.js';
import { propertyRuns, propertySeed } from '../support/property.js';

type Life = readonly [kind: number, born: number, dies: number, over?: number];

const lifetimes = (lives: readonly Life[]): Lifetimes => ({
  kinds: Int32Array.from(lives, ([kind]) => kind),
  born: Int32Array.from(lives, ([, born]) => born),
  dies: Int32Array.from(lives, ([, , dies]) => dies),
  over: Int32Array.from(lives, ([, , , over]) => over ?? -1),
});
const plan = (...lives: readonly Life[]): number[] => [...planBuffers(lifetimes(lives)).buffers];

/** One value a position or none, as in an order of execution; each is read for some positions after it is made. */
const anyLives = fc
  .array(
    fc.record({
      kind: fc.nat({ max: 2 }),
      lasts: fc.nat({ max: 8 }),
      skip: fc.nat({ max: 2 }),
      over: fc.integer({ min: -1, max: 12 }),
    }),
    {
      maxLength: 40,
    },
  )
  .map((drawn) => {
    let at = 0;
    return drawn.map(({ kind, lasts, skip, over }, index): Life => {
      const born = at + skip;
      at = born + 1;
      return [kind, born, born + lasts, over < index ? over : -1];
    });
  });

describe('planBuffers', () => {
  it('lends a buffer again once its value is dead', () => {
    expect(plan([0, 0, 1], [0, 1, 2], [0, 2, 3], [0, 3, 4])).to.deep.equal([0, 1, 0, 1]);
  });

  it('gives a chain of any length two buffers', () => {
    const lives = Array.from({ length: 1000 }, (_, at): Life => [0, at, at + 1]);
    expect(planBuffers(lifetimes(lives)).count).to.equal(2);
  });

  it('never lets a reader write over its input: a value lives until its last reader has run', () => {
    expect(plan([0, 0, 1], [0, 1, 1])).to.deep.equal([0, 1]);
  });

  it('lets it where that is allowed, if the input dies there and is of the same kind', () => {
    expect(plan([0, 0, 1], [0, 1, 2, 0])).to.deep.equal([0, 0]);
    expect(plan([0, 0, 2], [0, 1, 2, 0])).to.deep.equal([0, 1]);
    expect(plan([0, 0, 1], [1, 1, 2, 0])).to.deep.equal([0, 1]);
  });

  it('shares only between values of one kind', () => {
    expect(plan([0, 0, 0], [1, 1, 1], [0, 2, 2], [1, 3, 3])).to.deep.equal([0, 1, 0, 1]);
  });

  it('has nothing to plan for nothing', () => {
    expect(planBuffers(lifetimes([])).count).to.equal(0);
  });

  it('gives no two values one buffer at the same time, in random lifetimes, save where one is written over the other', () => {
    fc.assert(
      fc.property(anyLives, (lives) => {
        const { buffers, count } = planBuffers(lifetimes(lives));
        lives.forEach(([kind, born, , over], later) => {
          expect(buffers[later]).to.be.within(0, count - 1);
          for (let earlier = 0; earlier < later; earlier++) {
            if (buffers[earlier] !== buffers[later]) continue;
            const [otherKind, , otherDies] = lives[earlier];
            expect(otherKind).to.equal(kind);
            const isOver = over === earlier && otherDies === born;
            expect(otherDies < born || isOver, `values ${earlier} and ${later}`).to.equal(true);
          }
        });
      }),
      { seed: propertySeed(), numRuns: propertyRuns(500, 5_000, 200_000) },
    );
  });

  it('uses no more buffers of a kind than values of it live at once', () => {
    fc.assert(
      fc.property(anyLives, (lives) => {
        const { buffers } = planBuffers(lifetimes(lives));
        for (const kind of [0, 1, 2]) {
          const own = lives.map((life, at) => ({ life, buffer: buffers[at] })).filter(({ life }) => life[0] === kind);
          const most = own.reduce(
            (high, { life: [, at] }) => Math.max(high, own.filter(({ life: [, born, dies] }) => born <= at && at <= dies).length),
            0,
          );
          expect(new Set(own.map(({ buffer }) => buffer)).size).to.be.at.most(most);
        }
      }),
      { seed: propertySeed(), numRuns: propertyRuns(500, 5_000, 100_000) },
    );
  });
});
