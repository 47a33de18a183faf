/**
 * @file A run from its first line to its exit code: puts the parts together, and says how it ended.
 */
import type { Readable } from 'node:stream';
import { pipe, tap, type Observable, type SchedulerLike } from 'rxjs';
import { formatErrorLine, formatLocation, quoted, type Diagnostic } from '../errors/index.js';
import type { Graph } from '../graph/graph.js';
import type { CheckpointStore } from '../stream/index.js';
import type { Computing } from './computing.js';
import type { ErrorSink } from './error-sink.js';
import { feedLines } from './feed-lines.js';
import { fileFault, nameOfFile } from './files.js';
import { EXIT, exitOf, type Signal } from './io.js';
import { ledger } from './ledger.js';
import { isBrokenPipe, isSystemError } from './line-sink.js';
import { outputPrinter } from './output-line.js';
import type { Counts, ProgressLine } from './progress-line.js';
import { feedReader } from './read-feeds.js';
import { quiet } from './resuming.js';
import type { RunOutputs } from './run-outputs.js';
import type { RunSettings } from './run-options.js';
import { runSink } from './run-sink.js';
import { stream, type Ending } from './stream.js';
import { telling } from './telling.js';
import type { Answer, Told } from './units.js';
import { lineByLine, windowed } from './windowed.js';

/** Reads how a run does. */
export type Counting = () => Omit<Counts, 'share'> & { readonly bytes: number };

export interface Running {
  readonly graph: Graph;
  readonly settings: RunSettings;
  readonly computed: Computing;
  readonly input: Readable;
  readonly outputs: RunOutputs;
  readonly errors: ErrorSink;
  readonly say: (text: string) => void;
  /** See `callOf`. */
  readonly call: string;
  readonly store: CheckpointStore;
  readonly watch: (counting: Counting) => ProgressLine;
  readonly scheduler: SchedulerLike;
  readonly signals$: Observable<Signal>;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
}

/** @returns the exit code. Rejects with what is about the call, and with a pipe that nobody reads */
export async function running({
  graph,
  settings,
  computed,
  input,
  outputs,
  errors,
  say,
  call,
  store,
  watch,
  scheduler,
  signals$,
  onDiagnostic,
}: Running): Promise<number> {
  // prettier-ignore
  const { feedsFile, checkpoint, format, maxLine, onError, window } = settings;
  const file = nameOfFile(feedsFile);
  const book = ledger(file, checkpoint !== undefined);
  const read = feedReader(graph, {
    file,
    maxLine,
    time: window?.time,
    onUnknown: (name, line) =>
      errors.write(`${formatLocation({ file, line })}: warning: ${quoted(name)} is no input of the graph and is left out`),
  });
  const lines = feedLines(input, read, book, maxLine);
  const kept = quiet(store);
  const sink = runSink({ out: outputs.out, late: outputs.late, errors, call });
  let [entered, answered] = [0, 0];
  let savedAt = scheduler.now();
  const progress = watch(() => ({
    taken: book.fed,
    told: book.told,
    failed: book.failed,
    inFlight: entered - answered,
    bytes: lines.bytes(),
    checkpointMs: checkpoint === undefined ? undefined : scheduler.now() - savedAt,
  }));
  let bad: unknown;
  const told = telling({ print: outputPrinter(format), file, failed: (error) => (book.failed++, (bad = error)) });
  const tell = (answer: Answer): Told => {
    answered++;
    progress.answered();
    const line = told(answer);
    if (line.to === 'out') book.told++;
    if (line.to !== 'error' || onError === 'skip') return line;
    errors.write(line.text);
    throw bad;
  };
  let ending: Ending = { isSaved: false };
  let failure: { readonly error: unknown } | undefined;
  try {
    ending = await stream({
      lines,
      ledger: book,
      unitsOf: (stage) => pipe(window === undefined ? lineByLine : windowed({ ...window, time: window.time, tellsLate: window.late !== undefined }, stage), tap(() => void entered++)), // prettier-ignore
      compute: computed.compute,
      tell,
      sink,
      failed$: outputs.failed$,
      store: kept.store,
      every: checkpoint?.every ?? {},
      ahead: computed.ahead,
      saved: () => void (savedAt = scheduler.now()),
      signals$,
      scheduler,
      onDiagnostic,
    });
  } catch (error) {
    failure = { error };
  }
  input.destroy();
  if (ending.isAbrupt === true) return exitOf(ending.signal!);
  // What closing says after a failure is what was said already.
  await sink.closed().catch((error: unknown) => (failure ??= { error }));
  await kept.idle();
  await outputs.end();
  if (failure !== undefined && failure.error !== bad) return broken(failure.error);
  if (ending.signal !== undefined) say(stopText(ending.signal, ending.isSaved, book.line, checkpoint));
  else if (book.failed > 0 && onError === 'skip') say(`${book.failed} of ${book.fed} lines failed`);
  return ending.signal !== undefined ? exitOf(ending.signal) : book.failed > 0 ? EXIT.failed : EXIT.ok;

  /** A stream or file that broke is told of; anything else is for whoever called. */
  function broken(error: unknown): number {
    if (!isSystemError(error) || isBrokenPipe(error)) throw error;
    const isWriting = error.syscall === 'write';
    const where = isWriting ? (settings.out ?? 'stdout') : feedsFile;
    say(formatErrorLine(fileFault(where, isWriting ? 'writing must go on' : 'reading must go on', error)));
    return EXIT.failed;
  }
}

function stopText(signal: Signal, isSaved: boolean, line: number, checkpoint: RunSettings['checkpoint']): string {
  const where = `stopped by ${signal} behind line ${line}`;
  if (checkpoint === undefined) return `${where}; with --checkpoint FOLDER it could be resumed there`;
  return isSaved
    ? `${where}; the same call with --resume goes on there`
    : `${where}, but not all of it was computed in time; the same call with --resume goes on from the last checkpoint`;
}
