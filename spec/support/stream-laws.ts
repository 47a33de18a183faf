/**
 * @file The laws of operators for those of streams: windows, chunks and batches.
 */
import { map, pipe } from 'rxjs';
import {
  add,
  chunk,
  graph,
  input,
  mul,
  parallel,
  runChunks,
  sum,
  vectorized,
  watermark,
  window,
  type Chunk,
  type ItemResult,
  type StreamResult,
  type Timed,
  type WindowKind,
} from '../../src/index.js';
import { operatorLaws, type Law } from '../../src/testing.js';

type Feed = { readonly x: number[] };
const feed = (index: number): Feed => ({ x: [index, index + 1] });
const boom = (error: unknown) => () => {
  throw error;
};
const across = graph({ x: input(['n']) }, ({ x }) => ({ y: add(mul(sum(mul(x, x)), x), 1) }));
const alike = graph({ x: input(['n']) }, ({ x }) => ({ y: add(mul(x, x), 1) }));
const asRecord = map((time: number): Timed<number> => ({ kind: 'record', time, value: time }));
const chunkId = map(({ metadata }: Chunk | StreamResult) => metadata.chunkId);
const chunkAt = (index: number): Chunk => ({
  feeds: feed(index),
  metadata: { chunkId: index, startIdx: index, endIdx: index + 1, size: 1, isLast: false },
  took: () => undefined,
});
const kinds: readonly WindowKind[] = [{ tumbling: { sizeMs: 10 } }, { session: { gapMs: 10 } }, { count: { size: 1 } }];

type Cases = Readonly<Record<string, () => readonly Law[]>>;
/** One case for each of a list of options, named by them. */
const each = <T>(list: readonly T[], laws: (given: T) => readonly Law[]): Cases =>
  Object.fromEntries(list.map((given) => [JSON.stringify(given), () => laws(given)]));

export const streamEntries: Readonly<Record<string, Cases>> = {
  watermark: each([{}, { delayMs: 15 }, { idleMs: 50 }], (given) =>
    operatorLaws(() => watermark({ time: (at: number) => at, ...given }), {
      feed: (index) => 10 * index,
      outputs: (count) => 2 * count + 1,
      throwing: (error) => watermark({ time: boom(error) }),
    }),
  ),
  window: Object.fromEntries(
    [{}, { key: () => 'a' }, { allowedLatenessMs: 5 }, { late: () => undefined }].flatMap((options) =>
      kinds.map((kind) => [
        [...Object.keys(kind), ...Object.keys(options)].join(', '),
        () =>
          operatorLaws<number, unknown>(() => pipe(watermark({ time: (at: number) => at }), window(kind, options)), {
            feed: (index) => 10 * index,
            outputs: (count) => count,
            throwing: (error) => pipe(asRecord, window(kind, { key: boom(error) })),
          }),
      ]),
    ),
  ),
  chunk: each([{ count: 1 }, { bytes: 1 }, { adaptive: { initial: 1 } }] as const, (mode) =>
    operatorLaws<Feed, unknown>(() => pipe(chunk<Feed>(mode), chunkId), {
      feed,
      outputs: (count) => count,
      throwing: (error) => chunk<Feed>({ bytes: 1, sizeOf: boom(error) }),
    }),
  ),
  runChunks: {
    alone: () =>
      operatorLaws<Chunk, unknown>(() => pipe(runChunks(across), chunkId), {
        feed: chunkAt,
        throwing: (error) => runChunks(across, { clock: boom(error) }),
      }),
  },
  parallel: each(
    [1, 3].flatMap((concurrency) => [true, false].map((failFast) => ({ concurrency, failFast }))),
    (given) => {
      const seen = map(({ index, outputs }: ItemResult) => [index, outputs?.['y'].toArray()]);
      return operatorLaws<Feed, unknown>(() => pipe(parallel(across, given), seen), {
        feed,
        throwing: given.failFast ? (error) => parallel(across, { ...given, clock: boom(error) }) : undefined,
      });
    },
  ),
  vectorized: Object.fromEntries(
    Object.entries({ 'where rows are alike': alike, 'where they are not': across }).map(([name, model]) => [
      name,
      () =>
        operatorLaws<readonly Feed[], unknown>(() => pipe(vectorized(model), map((items) => items.map(({ y }) => y.toArray()))), {
          feed: (index) => [feed(index), feed(index + 1)],
          throwing: model === across ? (error) => vectorized(across, { onDiagnostic: boom(error) }) : undefined,
        }), // prettier-ignore
    ]),
  ),
};
