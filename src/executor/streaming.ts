/**
 * @file Streams in chunks under the seed's names: `runStream` and `runChunk`.
 */
import type { Observable } from 'rxjs';
import type { Graph, Names } from '../graph/graph.js';
import type { Feeds, RunOptions } from '../run/index.js';
import { runChunk, runStream, type ChunkMetadata, type StreamingConfig, type StreamResult } from '../stream/index.js';

/** Sources in chunks of rows. */
export interface StreamingMethods {
  /** A stream of results, read as they are taken. See `runStream`. */
  executeStream<I extends Names, O extends Names>(
    graph: Graph<I, O>,
    source: Parameters<typeof runStream<I, O>>[1],
    config?: Omit<StreamingConfig, 'run'>,
  ): Observable<StreamResult<O>>;
  /** One chunk, whose rows are stacked already. See `runChunk`. */
  executeChunk<I extends Names, O extends Names>(
    graph: Graph<I, O>,
    inputs: Feeds<I>,
    metadata: ChunkMetadata,
  ): Promise<StreamResult<O>>;
}

export const streamingMethods = (settings: RunOptions): StreamingMethods => ({
  executeStream: (graph, source, config) => runStream(graph, source, { ...config, run: settings }),
  executeChunk: (graph, inputs, metadata) => runChunk(graph, inputs, metadata, { run: settings }),
});
