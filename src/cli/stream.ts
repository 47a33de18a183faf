/**
 * @file Lines in, lines out, through one RxJS pipe: each feed is taken from the input only when the output has room.
 */
import type { Readable } from 'node:stream';
import { from, map, retry, tap, throwError, of, type OperatorFunction } from 'rxjs';
import { EinstreamError, quoted } from '../errors/index.js';
import type { Graph } from '../graph/graph.js';
import type { Feeds, Outputs } from '../run/index.js';
import { errorLine } from './error-line.js';
import type { LineSink } from './line-sink.js';
import { lineSplitter } from './line-splitter.js';
import { feedReader } from './read-feeds.js';

export interface Streaming {
  readonly graph: Graph;
  readonly operator: OperatorFunction<Feeds, Outputs>;
  readonly print: (outputs: Outputs) => string;
  readonly input: Readable;
  /** What the input is called in errors. */
  readonly file: string;
  readonly output: LineSink;
  readonly errors: LineSink;
  readonly maxLine: number;
  readonly onError: 'stop' | 'skip';
}

/** How many lines were fed, and how many of them failed. */
export interface Streamed {
  readonly fed: number;
  readonly failed: number;
}

/**
 * Runs the lines of `input` through the graph. Each line gives one line of output, in order, or one line of error.
 *
 * Holds one line, the chunk it came in, and at most a batch of outputs. Rejects with the streams' own errors.
 */
export async function stream(streaming: Streaming): Promise<Streamed> {
  const { graph, operator, print, input, file, output, errors, maxLine, onError } = streaming;
  const read = feedReader(graph, {
    file,
    maxLine,
    onUnknown: (name, line) => errors.write(`${file}:${line}: warning: ${quoted(name)} is no input of the graph and is left out`),
  });
  let line = 0;
  let fed = 0;
  let failed = 0;
  const report = (error: unknown): void => {
    failed++;
    errors.write(errorLine(error, { file, line }));
  };

  async function* feeds(): AsyncGenerator<Feeds, void, void> {
    const splitter = lineSplitter(maxLine);
    const each = async function* (lines: ReturnType<typeof splitter.push>): AsyncGenerator<Feeds, void, void> {
      for (const next of lines) {
        line = next.number;
        const feed = attempt(() => read(next));
        if (feed !== undefined) {
          fed++;
          yield feed;
        }
        if (output.isFull()) await output.flush();
        if (errors.isFull()) await errors.flush();
      }
    };
    for await (const chunk of input as AsyncIterable<Uint8Array>) {
      yield* each(splitter.push(chunk));
      // Whoever waits for the answers to what was sent gets them before we wait for more.
      await output.flush();
    }
    yield* each(splitter.end());
  }
  const attempt = <T>(action: () => T): T | undefined => {
    try {
      return action();
    } catch (error) {
      if (onError === 'stop') throw error;
      fed++;
      report(error);
      return undefined;
    }
  };

  const lines = feeds();
  // An iterator without `return`: when a run has failed, the one after it goes on with the next line.
  const feeds$ = from({ [Symbol.asyncIterator]: () => ({ next: () => lines.next() }) });
  const outputs$ = feeds$.pipe(operator, map(print));
  const kept$ = onError === 'stop' ? outputs$ : outputs$.pipe(retry({ delay: (error) => skipped(error) }));
  const skipped = (error: unknown) => {
    // Only the run's own errors are about a line; a stream that broke is the end.
    if (!(error instanceof EinstreamError)) return throwError(() => error);
    report(error);
    return of(undefined);
  };
  try {
    await kept$.pipe(tap({ next: output.write })).forEach(() => undefined);
  } catch (error) {
    if (!(error instanceof EinstreamError)) throw error;
    report(error);
  } finally {
    input.destroy();
    await output.flush();
  }
  return { fed, failed };
}
