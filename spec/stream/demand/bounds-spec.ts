/** @file What flows hold is bounded, in items and in bytes (B03). */
import { expect } from 'chai';
import fc from 'fast-check';
import { concatMap, map, mergeMap, Observable, Subject, take } from 'rxjs';
import { acknowledged, pulled, tensor, through, toObservable, type Flow } from '../../../src/index.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { expectNothingUncaught } from '../../support/uncaught.js';
import { watch } from '../../support/watch.js';

describe('what is in flight', () => {
  expectNothingUncaught();

  it('is no more than the bytes of an edge and one item, whatever the items are', () => {
    const hold = new Subject<void>();
    let [held, peak, sizes] = [0, 0, 0];
    const source = Array.from({ length: 300 }, (_, k) => 1 + ((k * 37) % 50));
    const operator = concatMap((size: number) => {
      held += size;
      peak = Math.max(peak, held);
      return new Observable<number>((subscriber) => {
        subscriber.add(
          hold.pipe(take(1)).subscribe(() => {
            held -= size;
            sizes += size;
            subscriber.next(size);
            subscriber.complete();
          }),
        );
      });
    });
    const all = watch(toObservable(through(operator, { credits: 20, bytes: 100, sizeOf: (size) => size })(pulled(source))));
    while (!all.isComplete) hold.next();
    expect(sizes).to.equal(source.reduce((sum, size) => sum + size, 0));
    expect(peak).to.be.within(1, 100 + 50);
  });

  it('is measured by the bytes of tensors, arrays, numbers and strings by default', () => {
    const pulls = (item: unknown, bytes: number): number => {
      let count = 0;
      const source = {
        *[Symbol.iterator]() {
          for (;;) {
            count++;
            yield item;
          }
        },
      };
      const silent = mergeMap(() => new Observable<never>());
      watch(toObservable(through(silent, { credits: 100, bytes })(pulled(source)))).unsubscribe();
      return count;
    };
    const items: readonly (readonly [unknown, number])[] = [
      [tensor([[1, 2], [3, 4]]), 16], // prettier-ignore
      [{ x: tensor([1, 2], { dtype: 'float64' }), k: 1 }, 24],
      [new Float32Array(10), 40],
      [new ArrayBuffer(12), 12],
      [[[1, 2], [3]], 24],
      ['abcd', 8],
      [{ x: null, y: true }, 16],
    ];
    for (const [item, size] of items) expect(pulls(item, 10 * size), JSON.stringify(item)).to.equal(10);
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    expect(pulls(cyclic, 80)).to.equal(10);
  });

  it('is at most what the credits of all edges allow, and can be all of that (B03)', () => {
    const stage = fc.record({ credits: fc.integer({ min: 1, max: 6 }), isSlow: fc.boolean(), bytes: fc.boolean() });
    let fullest = 0;
    fc.assert(
      fc.property(
        fc.array(stage, { maxLength: 4 }),
        fc.integer({ min: 1, max: 4 }),
        fc.infiniteStream(fc.nat(99)),
        (stages, last, dice) => {
          const [COUNT, ITEM] = [120, 16];
          const tasks: (() => void)[] = [];
          const roll = (below: number): number => dice.next().value % below;
          let [pulls, released, peak] = [0, 0, 0];
          const source = {
            *[Symbol.iterator]() {
              while (pulls < COUNT) {
                peak = Math.max(peak, ++pulls - released);
                yield tensor([pulls, 0, 0, 0]);
              }
            },
          };
          const later = <T>(value: T) => new Observable<T>((subscriber) => void tasks.push(() => { subscriber.next(value); subscriber.complete(); })); // prettier-ignore
          const flow = stages.reduce<Flow<unknown>>(
            (from, { credits, isSlow, bytes }) =>
              through(
                isSlow ? mergeMap(later) : map((x: unknown) => x),
                bytes ? { credits, bytes: credits * ITEM } : { credits },
              )(from),
            pulled(source),
          );
          const all = watch(acknowledged(flow, { credits: last }).pipe(map(({ ack }) => void tasks.push(() => { released++; ack(); })))); // prettier-ignore
          while (tasks.length > 0) tasks.splice(roll(tasks.length), 1)[0]();
          const bound = stages.reduce((sum, { credits }) => sum + credits, last);
          expect([all.isComplete, released]).to.deep.equal([true, COUNT]);
          expect(peak * ITEM).to.be.at.most(bound * ITEM);
          fullest = Math.max(fullest, peak / bound);
        },
      ),
      { numRuns: propertyRuns(60, 2_000, 50_000), seed: propertySeed() },
    );
    expect(fullest).to.equal(1);
  });
});
