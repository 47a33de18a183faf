/** @file A graph on chunks: the same numbers as on all rows at once, with their time (F016, F019, S18). */
import { expect } from 'chai';
import { concatMap, delay, from, map, of, Subject, take, toArray } from 'rxjs';
import {
  add,
  chunk,
  einsum,
  EinstreamError,
  evaluateSync,
  graph,
  input,
  js,
  mergeResults,
  param,
  relu,
  runChunk,
  runChunks,
  tensor,
  valueOf,
  type ChunkMode,
  type Middleware,
  type Outputs,
} from '../../../src/index.js';
import { marbles, plain } from '../../support/marbles.js';
import { expectNothingUncaught } from '../../support/uncaught.js';
import { watch } from '../../support/watch.js';

const w = tensor([[1, -2], [0.5, 3], [-1, 0.25]]); // prettier-ignore
const g = graph({ x: input(['n', 3]), w: param(w) }, (v) => ({
  y: relu(add(einsum('ni,io->no', v.x, v.w), 0.1)),
  z: add(v.x, 1),
}));
const single = graph({ x: input(['n', 3]) }, ({ x }) => ({ y: relu(x) }));
const row = (k: number) => ({ x: [k, Math.sin(k), k / 7] });
const rows = (count: number) => Array.from({ length: count }, (_, k) => row(k));

describe('runChunks (F016) (F019)', () => {
  expectNothingUncaught();

  it('gives, put together, what the graph gives for all rows at once, bit for bit, for any size (S18)', () => {
    for (const count of [1, 13, 31]) {
      const whole = evaluateSync(g, { x: rows(count).map(({ x }) => x) }, { backend: js() });
      const modes: readonly ChunkMode[] = [1, 7, count, count + 1].map((size): ChunkMode => ({ count: size }));
      for (const mode of [...modes, { bytes: 50 }, { adaptive: { initial: 2 } }, 'none'] as const) {
        const { values, isComplete } = watch(from(rows(count)).pipe(chunk(mode), runChunks(g, { run: { backend: js() } })));
        expect(isComplete).to.equal(true);
        expect(plain(mergeResults(values.map(({ outputs }) => outputs as Outputs)))).to.deep.equal(plain({ ...whole }));
      }
    }
  });

  it('measures each chunk by its clock; a rate is finite though it took no time', () => {
    const times = [0, 8, 10, 10, 20, 19];
    const { values } = watch(from(rows(5)).pipe(chunk({ count: 2 }), runChunks(g, { clock: () => times.shift()! })));
    expect(values.map(({ processingTimeMs, itemsPerSecond, metadata: { size } }) => [size, processingTimeMs, itemsPerSecond])).to.deep.equal([
      [2, 8, 250],
      [2, 0, 2_000_000],
      [1, 0, 1_000_000], // a clock that went back
    ]); // prettier-ignore
  });

  it('lets adaptive sizes follow', () => {
    let now = 0;
    const slow: Middleware = (step, node) => (frames$) =>
      frames$.pipe(
        step,
        map((frame) => {
          now += valueOf(frame, node.id).shape[0]; // a millisecond a row
          return frame;
        }),
      );
    const sizes$ = from(rows(40)).pipe(
      chunk({ adaptive: { initial: 4, targetMs: 10 } }),
      runChunks(single, { clock: () => now, run: { use: [slow] } }),
      map(({ metadata: { size } }) => size),
    );
    expect(watch(sizes$).values).to.deep.equal([4, 8, 10, 10, 8]);
  });

  it('gives the first result before the source ends, and lets go of it when it is left', () => {
    const rows$ = new Subject<ReturnType<typeof row>>();
    const seen = watch(rows$.pipe(chunk({ count: 2 }), runChunks(g), take(1)));
    for (const each of rows(3)) rows$.next(each);
    expect([seen.values.length, seen.isComplete, rows$.observed]).to.deep.equal([1, true, false]);
  });

  it(
    'computes one chunk at a time, in order',
    marbles(({ cold, expectObservable }) => {
      const rows$ = cold('   abcd|', { a: row(1), b: row(2), c: row(3), d: row(4) });
      const expected = '     ----a--b--c--(d|)';
      const later: Middleware = (step) => (frames$) => frames$.pipe(concatMap((frame) => of(frame).pipe(delay(3))), step); // prettier-ignore

      const ids$ = rows$.pipe(chunk({ count: 1 }), runChunks(single, { run: { use: [later] } }), map(({ metadata }) => 'abcd'[metadata.chunkId])); // prettier-ignore
      expectObservable(ids$).toBe(expected);
    }),
  );

  it('runs one chunk alone', async () => {
    const metadata = { chunkId: 4, startIdx: 8, endIdx: 10, size: 2, isLast: false };
    const result = await runChunk(g, { x: rows(2).map(({ x }) => x) }, metadata);
    expect(result.metadata).to.equal(metadata);
    const { values } = watch(from(rows(2)).pipe(chunk('none'), runChunks(g), toArray()));
    expect(plain({ ...result.outputs })).to.deep.equal(plain({ ...values[0][0].outputs }));
    expect(await runChunk(g, { x: [[1]] }, metadata).catch((error: unknown) => (error as EinstreamError).code)).to.equal(
      'E_FEED',
    );
  });

  it('refuses wrong options at the call', () => {
    for (const options of [{ clock: 3 }, { level: 'none' }, { run: { level: 'most' } }])
      expect(() => runChunks(g, options as never))
        .to.throw(EinstreamError)
        .with.property('code', 'E_ARGUMENT');
  });
});
