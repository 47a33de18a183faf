/** @file Tensors of a pool for the time of a subscription: they go home whatever becomes of it. */
import { expect } from 'chai';
import { map, NEVER, of, throwError, type Observable } from 'rxjs';
import { leased, memoryPool, type MemoryPool, type Tensor } from '../../src/index.js';
import { marbles } from '../support/marbles.js';
import { thrownBy } from '../support/thrownBy.js';
import { watch } from '../support/watch.js';

describe('leased (F073)', () => {
  let pool: MemoryPool;
  beforeEach(() => (pool = memoryPool()));
  afterEach(() => expect(pool.stats()).to.include({ live: 0, liveBytes: 0 }));

  it('lends tensors that are stale after completion, an error, and unsubscribing', () => {
    const ends: readonly ((stream$: Observable<number>) => unknown)[] = [
      (stream$) => watch(stream$),
      (stream$) => stream$.subscribe().unsubscribe(),
    ];
    for (const tail$ of [of(1), throwError(() => new Error('theirs')), NEVER] as Observable<number>[]) {
      let tensor: Tensor | undefined;
      const stream$ = leased(pool, (lend) => {
        tensor = lend([3], 'int32', { zeroed: true });
        expect(tensor.toArray()).to.deep.equal([0, 0, 0]);
        return tail$;
      });
      ends[tail$ === NEVER ? 1 : 0](stream$);
      expect(thrownBy(() => tensor!.data).code).to.equal('E_STALE');
    }
    expect(pool.stats()).to.include({ allocations: 3, reuses: 2, releases: 3 });
  });

  it('lends each subscription its own, when it is subscribed to', () => {
    const seen = new Set<Tensor>();
    const stream$ = leased(pool, (lend) => of(seen.add(lend([2])).size));
    expect(pool.stats().allocations).to.equal(0);
    stream$.subscribe();
    stream$.subscribe();
    expect(seen.size).to.equal(2);
  });

  it('keeps them for as long as items come', marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const items$ = cold('  a--b--c--|');
      const subs = '         ^----!';
      const unsubscribed = ' -----!';
      const expected = '     a--b--';
      const stream$ = leased(pool, (lend) => {
        const held = lend([1], 'float32', { zeroed: true });
        return items$.pipe(map((item) => (held.data.length === 1 ? item : 'gone')));
      });
      expectObservable(stream$, unsubscribed).toBe(expected);
      expectSubscriptions(items$.subscriptions).toBe(subs);
    })); // prettier-ignore

  it('leaves alone what was given back before its time, and lends nothing after the end', () => {
    let keep: MemoryPool['allocate'] | undefined;
    leased(pool, (lend) => {
      keep = lend;
      pool.deallocate(lend([4]));
      return of(1);
    }).subscribe();
    expect(thrownBy(() => keep!([1])).code).to.equal('E_STALE');
    expect(pool.stats().releases).to.equal(1);
  });

  it('turns what its function throws into an error of the stream, and takes back what that had', () => {
    const { error } = watch(
      leased(pool, (lend) => {
        lend([1]);
        throw new RangeError('mine');
      }),
    );
    expect(error).to.include({ code: 'E_CONSUMER' });
    expect((error as { readonly cause: unknown }).cause).to.be.instanceOf(RangeError);
  });
});
