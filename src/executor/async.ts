/**
 * @file Promises and streams of executions under the seed's names: `evaluate`, `evaluateBatch`, `runStreamAsync`.
 */
import { map, type Observable } from 'rxjs';
import type { Graph, Names } from '../graph/graph.js';
import { mapped, type Cancellable } from '../run/cancellable.js';
import { evaluate, type Feeds, type RunOptions } from '../run/index.js';
import { evaluateBatch, runStreamAsync, type AsyncConfig, type BatchOptions } from '../stream/index.js';
import { hereWith } from '../stream/pool/here.js';
import { resultOf, type Execution } from './execution.js';

/** What answers later. */
export interface AsyncMethods {
  /** A promise with `cancel`. */
  executeAsync<I extends Names, O extends Names>(
    graph: Graph<I, O>,
    feeds: Feeds<I>,
    options?: { readonly signal?: AbortSignal },
  ): Cancellable<Execution<O>>;
  /** A few at a time, all in one promise with `cancel`; the first failure cancels the rest. See `evaluateBatch`. */
  executeBatchAsync<I extends Names, O extends Names>(
    graph: Graph<I, O>,
    feeds: readonly Feeds<I>[],
    options?: BatchOptions,
  ): Cancellable<readonly Execution<O>[]>;
  /** A few at a time from a source, which is read no further than that. See `runStreamAsync`. */
  executeStreamAsync<I extends Names, O extends Names>(
    graph: Graph<I, O>,
    source: Parameters<typeof runStreamAsync<I, O>>[1],
    config?: Omit<AsyncConfig, 'run'>,
  ): Observable<Execution<O>>;
}

export const asyncMethods = (settings: RunOptions): AsyncMethods => ({
  executeAsync: (graph, feeds, { signal } = {}) => mapped(evaluate(graph, feeds, { ...settings, signal }), resultOf),
  executeBatchAsync: (graph, feeds, options) =>
    mapped(evaluateBatch(graph, feeds, { executor: hereWith(settings), ...options, settle: false }), (all) => all.map(resultOf)),
  executeStreamAsync: (graph, source, config) => runStreamAsync(graph, source, { ...config, run: settings }).pipe(map(resultOf)),
});
