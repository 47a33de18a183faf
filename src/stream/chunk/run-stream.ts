/**
 * @file `runStream`: a graph on the rows of a source that can wait, chunk by chunk, read ahead as far as is said.
 */
import type { Observable } from 'rxjs';
import { describeValue, fault } from '../../errors/index.js';
import type { Graph, Names } from '../../graph/graph.js';
import type { Feeds } from '../../run/feeds.js';
import { readCount } from '../demand/bounds.js';
import type { Flow } from '../demand/flow.js';
import type { Pullable } from '../demand/pull-async.js';
import { pulled } from '../demand/pulled.js';
import { bytesOf } from '../demand/size-of.js';
import { through } from '../demand/through.js';
import { toObservable } from '../demand/to-observable.js';
import { checkFunction, checkKnown } from '../options.js';
import { checkpointing } from './checkpointing.js';
import { chunked } from './chunked.js';
import { checkChunkState, chunker, type ChunkState } from './chunker.js';
import { checkMode, type ChunkMode } from './mode.js';
import { stackRows } from './rows.js';
import { runChunks, type RunChunksOptions, type StreamResult } from './run-chunks.js';
import { workspaceOf } from './workspace.js';

/** How a stream is computed in chunks. */
export interface StreamingConfig extends RunChunksOptions {
  /** How large chunks are; `{ adaptive: {} }` by default. With `{ bytes }` a row counts with what the graph needs for it. */
  readonly chunk?: ChunkMode;
  /** Chunks that are read ahead while one is computed, or its result not taken yet; 1 by default. One row more shows whether a chunk is the last. */
  readonly prefetch?: number;
  /** `false`: nothing is read while a chunk is computed, as `prefetch: 0`. */
  readonly overlap?: boolean;
  /** Chunks after which `onCheckpoint` is called; never by default. */
  readonly checkpointEvery?: number;
  /** Hears where to go on (`from`), once all before it was delivered: rows from `startIdx` on are still to be fed. */
  readonly onCheckpoint?: (state: ChunkState) => void;
  /** Where to start: the source begins with row `startIdx`. */
  readonly from?: ChunkState;
}

const PLACE = 'runStream';
const KNOWN = ['chunk', 'prefetch', 'overlap', 'checkpointEvery', 'onCheckpoint', 'from', 'run', 'clock'];

/**
 * Runs a graph on the rows of a source, in chunks. The source is read as results are taken, `prefetch` chunks ahead and no further;
 * unsubscribing stops it. Put together, the outputs are those of all rows at once, if the graph treats rows alike.
 *
 * ```ts
 * function* rows() { for (let k = 0; k < 5; k++) yield { x: [k, 1] }; }
 * const g = graph({ x: input(['n', 2]) }, ({ x }) => ({ y: sum(x, { axis: 1 }) }));
 * const results$ = runStream(g, rows(), { chunk: { count: 2 } });
 * results$.pipe(map(({ outputs: { y }, metadata }) => [metadata.chunkId, y.toArray()])) // => [[0, [1, 2]], [1, [3, 4]], [2, [5]]]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for wrong options and sources that cannot wait, at the call; on the stream as `run` and `chunk`
 */
export function runStream<I extends Names, O extends Names>(
  graph: Graph<I, O>,
  source: Pullable<Feeds<I>> | Flow<Feeds<I>>,
  config: StreamingConfig = {},
): Observable<StreamResult<O>> {
  checkKnown(PLACE, config, KNOWN);
  const { chunk: mode = { adaptive: {} }, overlap = true, run, clock, checkpointEvery, onCheckpoint } = config;
  checkMode(PLACE, mode);
  checkChunkState(PLACE, config.from);
  const prefetch = readCount(PLACE, 'prefetch', config.prefetch ?? (overlap ? 1 : 0), 0);
  if (typeof overlap !== 'boolean' || (!overlap && prefetch > 0))
    throw fault('E_ARGUMENT', { place: PLACE, rule: 'overlap is true or false, and without it nothing is read ahead', actual: `overlap ${describeValue(overlap)}, prefetch ${prefetch}` }); // prettier-ignore
  if (checkpointEvery !== undefined) readCount(PLACE, 'checkpointEvery', checkpointEvery);
  if (checkpointEvery !== undefined || onCheckpoint !== undefined) checkFunction(PLACE, 'onCheckpoint', onCheckpoint);
  const operator = runChunks(graph, { run, clock });
  const rows = (isFlow(source) ? source : pulled(source)) as Flow<Feeds>;
  const own = typeof mode === 'object' && 'bytes' in mode && mode.sizeOf === undefined;
  const flow = chunked(rows, () => chunker(own ? { ...mode, sizeOf: sizeWith(graph, config) } : mode, config.from));
  const results$ = toObservable(through(operator, { credits: 1 + prefetch })(flow));
  return checkpointEvery === undefined ? results$ : results$.pipe(checkpointing(checkpointEvery, onCheckpoint!, config.from));
}

/** Bytes of a row with what the graph needs for it, known from the first row on: its elements, and a share of the graph's memory. */
function sizeWith(graph: Graph, { run }: StreamingConfig): (row: Feeds, position: number) => number {
  let need: { readonly fixed: number; readonly each: number } | undefined;
  return (row, position) => {
    if (need === undefined) {
      const [one, two] = [workspaceOf(graph, stackRows([row]), run), workspaceOf(graph, stackRows([row, row]), run)];
      need = { each: two - one, fixed: 2 * one - two };
    }
    // A row of nested numbers lies in the chunk once more, as a tensor.
    return bytesOf(row) + need.each + (position === 0 ? Math.max(0, need.fixed) : 0);
  };
}

const isFlow = <T>(source: Pullable<T> | Flow<T>): source is Flow<T> =>
  typeof (source as Partial<Flow<T>> | null)?.open === 'function';
