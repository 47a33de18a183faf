/**
 * @file Lines in, lines out, through one RxJS pipe: each feed is taken from the input only when the output has room.
 */
import type { Readable } from 'node:stream';
import { from, map, of, retry, throwError, type Observable, type OperatorFunction } from 'rxjs';
import { EinstreamError, formatLocation, quoted } from '../errors/index.js';
import type { Graph } from '../graph/graph.js';
import type { Feeds, Outputs } from '../run/index.js';
import { errorLine } from './error-line.js';
import type { LineSink } from './line-sink.js';
import { lineSplitter, type Line } from './line-splitter.js';
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

/** How far we are: the line being read, whose number every error needs. */
interface Progress {
  line: number;
  fed: number;
  failed: number;
}

/**
 * Runs the lines of `input` through the graph. Each line gives one line of output, in order, or one line of error.
 *
 * Holds one line, the chunk it came in, and at most a batch of outputs. Rejects with the streams' own errors.
 */
export async function stream(streaming: Streaming): Promise<Streamed> {
  const { operator, print, input, file, output, errors, onError } = streaming;
  const progress: Progress = { line: 0, fed: 0, failed: 0 };
  const report = (error: unknown): void => {
    progress.failed++;
    errors.write(errorLine(error, { file, line: progress.line }));
  };
  const lines = feedsFrom(streaming, progress, report);
  // An iterator without `return`: when a run has failed, the one after it goes on with the next line.
  const feeds$ = from({ [Symbol.asyncIterator]: () => ({ next: () => lines.next() }) });
  const outputs$ = feeds$.pipe(operator, map(print));
  const goOn = (error: unknown): Observable<undefined> => {
    // Only the run's own errors are about a line; a stream that broke is the end.
    if (!(error instanceof EinstreamError)) return throwError(() => error);
    report(error);
    return of(undefined);
  };
  const kept$ = onError === 'stop' ? outputs$ : outputs$.pipe(retry({ delay: goOn }));
  try {
    await kept$.forEach(output.write);
  } catch (error) {
    if (!(error instanceof EinstreamError)) throw error;
    report(error);
  } finally {
    input.destroy();
    await output.flush();
  }
  return progress;
}

async function* feedsFrom(
  { graph, input, file, output, errors, maxLine, onError }: Streaming,
  progress: Progress,
  report: (error: unknown) => void,
): AsyncGenerator<Feeds, void, void> {
  const read = feedReader(graph, {
    file,
    maxLine,
    onUnknown: (name, line) =>
      errors.write(`${formatLocation({ file, line })}: warning: ${quoted(name)} is no input of the graph and is left out`),
  });
  for await (const line of linesOf(input, maxLine, [output, errors])) {
    progress.line = line.number;
    let feeds: Feeds | undefined;
    try {
      feeds = read(line);
    } catch (error) {
      progress.fed++;
      if (onError === 'stop') throw error;
      report(error);
    }
    if (feeds === undefined) continue;
    progress.fed++;
    yield feeds;
  }
}

/** The lines of a stream, none before the sinks have room for what comes of it. */
async function* linesOf(input: Readable, maxLine: number, sinks: readonly LineSink[]): AsyncGenerator<Line, void, void> {
  const splitter = lineSplitter(maxLine);
  for await (const chunk of input as AsyncIterable<Uint8Array>) {
    for (const line of splitter.push(chunk)) {
      yield line;
      for (const sink of sinks) if (sink.isFull()) await sink.flush();
    }
    // Whoever waits for the answers to what was sent gets them before we wait for more.
    for (const sink of sinks) await sink.flush();
  }
  yield* splitter.end();
}
