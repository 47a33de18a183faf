/**
 * @file `runChunks` and `runChunk`: a graph on chunks, with its time.
 */
import { concatMap, defer, lastValueFrom, map, of, type OperatorFunction } from 'rxjs';
import type { Graph, Names } from '../../graph/graph.js';
import type { Feeds, Outputs } from '../../run/feeds.js';
import type { RunOptions } from '../../run/options.js';
import { run } from '../../run/run.js';
import { checkFunction, checkKnown } from '../options.js';
import type { Chunk, ChunkMetadata } from './chunker.js';

/** What came of a chunk. */
export interface StreamResult<O extends Names = Names> {
  readonly outputs: Outputs<O>;
  readonly metadata: ChunkMetadata;
  readonly processingTimeMs: number;
  /** Finite: less than a microsecond counts as one. */
  readonly itemsPerSecond: number;
}

/** How chunks are computed. */
export interface RunChunksOptions {
  /** How the graph runs: backend, level, middleware. */
  readonly run?: RunOptions;
  /** Milliseconds, from any start; `performance.now` by default. */
  readonly clock?: () => number;
}

const LEAST_MS = 0.001;

/**
 * Runs a graph on each chunk, one at a time, in order, and measures it.
 *
 * ```ts
 * const g = graph({ x: input(['n', 2]) }, ({ x }) => ({ y: sum(x, { axis: 1 }) }));
 * const rows$ = from([{ x: [0, 1] }, { x: [1, 1] }, { x: [2, 1] }]);
 * rows$.pipe(chunk({ count: 2 }), runChunks(g), map(({ outputs: { y } }) => y.toArray())) // => [[1, 2], [3]]
 * ```
 *
 * @throws EinstreamError as `run`
 */
export function runChunks<I extends Names, O extends Names>(
  graph: Graph<I, O>,
  options: RunChunksOptions = {},
): OperatorFunction<Chunk, StreamResult<O>> {
  const { clock = now, run: settings } = options;
  checkKnown('runChunks', options, ['run', 'clock']);
  checkFunction('runChunks', 'clock', clock);
  const operator = run(graph, settings);
  return concatMap(({ feeds, metadata, took }: Chunk) =>
    defer(() => {
      const from = clock();
      return of(feeds as Feeds<I>).pipe(
        operator,
        map((outputs) => {
          const processingTimeMs = Math.max(0, clock() - from);
          took(processingTimeMs);
          return resultOf(outputs, metadata, processingTimeMs);
        }),
      );
    }),
  );
}

const now = (): number => performance.now();

const resultOf = <O extends Names>(outputs: Outputs<O>, metadata: ChunkMetadata, processingTimeMs: number): StreamResult<O> => ({
  outputs,
  metadata,
  processingTimeMs,
  itemsPerSecond: (1000 * metadata.size) / Math.max(LEAST_MS, processingTimeMs),
});

/**
 * Runs a graph on one chunk: rows that are stacked already.
 *
 * ```ts
 * const g = graph({ x: input(['n']) }, ({ x }) => ({ y: mul(x, 2) }));
 * const metadata = { chunkId: 0, startIdx: 0, endIdx: 2, size: 2, isLast: true };
 * runChunk(g, { x: [1, 2] }, metadata).then(({ outputs }) => outputs.y.toArray()) // => [2, 4]
 * ```
 *
 * @returns a promise that rejects with what `run` would put on the stream
 */
export const runChunk = <I extends Names, O extends Names>(
  graph: Graph<I, O>,
  inputs: Feeds<I>,
  metadata: ChunkMetadata,
  options: RunChunksOptions = {},
): Promise<StreamResult<O>> =>
  lastValueFrom(of({ feeds: inputs, metadata, took: () => undefined }).pipe(runChunks(graph, options)));
