/** @file Rows become chunks: how large, where they lie, and which is the last (F016, F017, F019, S18). */
import { expect } from 'chai';
import fc from 'fast-check';
import { from, map, Subject, tap } from 'rxjs';
import { EinstreamError, chunk, tensor, type ChunkMode, type ChunkState, type Feeds } from '../../../src/index.js';
import { marbles } from '../../support/marbles.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { expectNothingUncaught } from '../../support/uncaught.js';
import { watch } from '../../support/watch.js';

const codeOf = (error: unknown): unknown => (error instanceof EinstreamError ? error.code : error);
const rows = (count: number): { readonly x: number }[] => Array.from({ length: count }, (_, x) => ({ x }));
const chunks = (count: number, mode: ChunkMode) => watch(from(rows(count)).pipe(chunk(mode))).values;
const sizes = (count: number, mode: ChunkMode): readonly number[] => chunks(count, mode).map(({ metadata: { size } }) => size);

describe('chunk (F017) (F019)', () => {
  expectNothingUncaught();

  it('says where each chunk lies: startIdx included, endIdx not; the last one is known, and it alone', () => {
    expect(chunks(5, { count: 2 }).map(({ metadata }) => metadata)).to.deep.equal([
      { chunkId: 0, startIdx: 0, endIdx: 2, size: 2, isLast: false },
      { chunkId: 1, startIdx: 2, endIdx: 4, size: 2, isLast: false },
      { chunkId: 2, startIdx: 4, endIdx: 5, size: 1, isLast: true },
    ]);
    expect(chunks(0, { count: 2 })).to.deep.equal([]);
  });

  it('holds every row once, in order, whatever the sizes (S18)', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.integer({ min: 1, max: 62 }), (count, size) => {
        for (const mode of [{ count: size }, { bytes: 8 * size }, { adaptive: { initial: size } }, 'none'] as const) {
          const all = chunks(count, mode);
          expect(all.flatMap(({ feeds }) => feeds['x'] as number[])).to.deep.equal(rows(count).map(({ x }) => x));
          expect(all.filter(({ metadata }) => metadata.isLast)).to.have.length(Math.min(1, count));
          expect(all.at(-1)?.metadata.isLast ?? true).to.equal(true);
          all.forEach(({ metadata: { chunkId, startIdx, endIdx, size: own } }, k) =>
            expect([chunkId, startIdx, own]).to.deep.equal([k, all[k - 1]?.metadata.endIdx ?? 0, endIdx - startIdx]),
          );
        }
      }),
      { seed: propertySeed(), numRuns: propertyRuns(30, 500, 5000) },
    );
  });

  it('is as large as said: a number of rows, bytes, all', () => {
    for (const size of [1, 7, 8, 13]) expect(sizes(7, { count: size })).to.deep.equal(Array.from({ length: Math.ceil(7 / size) }, (_, k) => Math.min(size, 7 - k * size))); // prettier-ignore
    expect(sizes(7, { bytes: 24 })).to.deep.equal([3, 3, 1]); // a number is eight
    expect(sizes(3, { bytes: 1 })).to.deep.equal([1, 1, 1]); // one that is too large is alone
    expect(sizes(6, { bytes: 10, sizeOf: ({ x }) => 1 + (x as number) })).to.deep.equal([4, 1, 1]);
    expect(sizes(7, 'none')).to.deep.equal([7]);
  });

  it('adapts to what its work says that it took; the first chunk is as large as said', () => {
    const adapted = (initial: number | undefined, targetMs: number | undefined, msPerRow: number) =>
      watch(
        from(rows(200)).pipe(
          chunk({ adaptive: { initial, targetMs } }),
          tap(({ took, metadata: { size } }) => took(size * msPerRow)),
          map(({ metadata: { size } }) => size),
        ),
      ).values;
    expect(adapted(undefined, undefined, 1)).to.deep.equal([32, 64, 100, 4]);
    expect(adapted(50, 30, 1).slice(0, 4)).to.deep.equal([50, 30, 30, 30]);
    expect(sizes(100, { adaptive: {} })).to.deep.equal([32, 32, 32, 4]); // nobody says anything
  });

  it(
    'leaves with the row behind it, or with the end',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const row = { a: { x: 1 }, b: { x: 2 }, c: { x: 3 }, d: { x: 4 } };
      const rows$ = hot('  a-b-c---d--|', row);
      const subs = '       ^----------!';
      const expected = '   ----p------(q|)';
      const failing$ = hot('a-b-c--#', row, 'mine');
      const failed = '     ----p--#';
      const left = '       ^-----!';
      const seen = '       ----p';

      const values = { p: [1, 2], q: [3, 4] };
      const taken = map(({ feeds }: { readonly feeds: Feeds }) => feeds['x']);
      expectObservable(rows$.pipe(chunk({ count: 2 }), taken)).toBe(expected, values);
      expectObservable(rows$.pipe(chunk({ count: 2 }), taken), left).toBe(seen, values);
      expectSubscriptions(rows$.subscriptions).toBe([subs, left]);
      expectObservable(failing$.pipe(chunk({ count: 2 }), taken)).toBe(failed, values, 'mine');
    }),
  );

  it('goes on from its state as if it had not been interrupted, wherever that is', () => {
    const whole = chunks(11, { count: 3 }).map(({ feeds, metadata }) => [feeds['x'], metadata]);
    for (let cut = 0; cut <= 11; cut++) {
      let read!: () => ChunkState;
      const rows$ = new Subject<Feeds>();
      const first = watch(rows$.pipe(chunk({ count: 3 }, { state: (reader) => void (read = reader) })));
      for (const row of rows(cut)) rows$.next(row);
      const state = JSON.parse(JSON.stringify(read())) as ChunkState;
      first.unsubscribe();
      const second = watch(from(rows(11).slice(cut)).pipe(chunk({ count: 3 }, { from: state })));
      expect([...first.values, ...second.values].map(({ feeds, metadata }) => [feeds['x'], metadata])).to.deep.equal(whole);
    }
  });

  it('refuses sizes that are none at the call, and rows that are not alike on the stream', () => {
    const modes: readonly unknown[] = [undefined, 64, 'all', {}, { count: 0 }, { count: -1 }, { count: 1.5 }, { count: 1, bytes: 2 }, { bytes: 0 }, { bytes: NaN }, { bytes: 1, sizeOf: 3 }, { adaptive: 3 }, { adaptive: { initial: 0 } }, { adaptive: { targetMs: 0 } }, { adaptive: { target: 3 } }]; // prettier-ignore
    for (const mode of modes)
      expect(() => chunk(mode as never), JSON.stringify(mode))
        .to.throw(EinstreamError)
        .with.property('code', 'E_ARGUMENT');
    const broken = (): never => {
      throw new Error('mine');
    };
    const errors: readonly (readonly [readonly unknown[], ChunkMode, string])[] = [
      [[{ x: tensor([1]) }, { x: tensor([1, 2]) }], 'none', 'E_SHAPE'],
      [[{ x: 1 }, { y: 1 }], 'none', 'E_FEED'],
      [[null], 'none', 'E_FEED'],
      [[{ x: 1 }], { bytes: 8, sizeOf: broken }, 'E_CONSUMER'],
      [[{ x: 1 }], { bytes: 8, sizeOf: () => NaN }, 'E_CONSUMER'],
    ];
    for (const [items, mode, code] of errors)
      expect(codeOf(watch(from(items as Feeds[]).pipe(chunk(mode))).error)).to.equal(code);
  });
});
