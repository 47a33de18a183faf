/** @file A batch with poison in it: the innocent pass, for few runs more. */
import { expect } from 'chai';
import fc from 'fast-check';
import { concatMap, lastValueFrom, map, of, throwError, timer } from 'rxjs';
import { bisecting, type Settled } from '../../src/index.js';
import { marbles } from '../support/marbles.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { thrownBy } from '../support/thrownBy.js';

/** Work that fails where its batch holds a negative number. */
function counted() {
  let runs = 0;
  const work = (items: readonly number[]) => {
    runs++;
    if (items.some((item) => item < 0)) throw new Error('poison');
    return of(items.map((item) => item * 10));
  };
  return { work, runs: () => runs };
}

const shown = (all: readonly Settled<number>[]): readonly unknown[] =>
  all.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message));

describe('bisecting', () => {
  it('gives every item of any batch its own result, in order; only the poisonous fail', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: -3, max: 30 }), { maxLength: 40 }), async (items) => {
        const all = await lastValueFrom(bisecting(counted().work)(items));
        expect(shown(all)).to.deep.equal(items.map((item) => (item < 0 ? 'poison' : item * 10)));
      }),
      { seed: propertySeed(), numRuns: propertyRuns(100, 1_000, 10_000) },
    );
  });

  it('costs at most 2·log₂ n runs more for one poisonous item among n, wherever it stands', async () => {
    for (const n of [1, 2, 3, 8, 33, 64])
      for (let at = 0; at < n; at++) {
        const { work, runs } = counted();
        await lastValueFrom(bisecting(work)(Array.from({ length: n }, (_, k) => (k === at ? -1 : k))));
        expect(runs() - 1).to.be.at.most(2 * Math.ceil(Math.log2(n)));
      }
  });

  it('fails what is left together when its runs are spent', async () => {
    const { work, runs } = counted();
    const all = await lastValueFrom(bisecting(work, { maxRuns: 2 })([1, 2, 3, -1]));
    expect(shown(all)).to.deep.equal([10, 20, 'poison', 'poison']);
    expect(runs()).to.equal(3);
  });

  it('gives nobody a result when there are too few or too many of them', async () => {
    const all = await lastValueFrom(bisecting<number, number>(([first]) => of([first, first, first]))([1, 2]));
    expect(all.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(all[0]).to.have.nested.property('reason.code', 'E_KERNEL');
  });

  it('gives an empty batch an empty result, without work', async () => {
    const { work, runs } = counted();
    expect([await lastValueFrom(bisecting(work)([])), runs()]).to.deep.equal([[], 0]);
  });

  it(
    'waits for work that takes time, one part after another, and stops when unsubscribed',
    marbles(({ expectObservable }) => {
      const slow = (items: readonly number[]) =>
        timer(2).pipe(concatMap(() => (items.includes(-1) ? throwError(() => new Error('poison')) : of(items))));
      const expected = '      ------(a|)';
      const unsub = '         ---!';

      expectObservable(bisecting(slow)([1, -1]).pipe(map(shown))).toBe(expected, { a: [1, 'poison'] });
      expectObservable(bisecting(slow)([1, -1]), unsub).toBe('---');
    }),
  );

  it('refuses a number of runs that is none', () => {
    for (const maxRuns of [-1, 1.5, NaN])
      expect(thrownBy(() => bisecting(() => [], { maxRuns }))).to.include({ code: 'E_ARGUMENT' });
  });
});
