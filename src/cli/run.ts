/**
 * @file `einstream run`: feeds as NDJSON in, outputs as NDJSON out.
 */
import { asyncScheduler, ReplaySubject, type Subscription } from 'rxjs';
import { isFatal, type Diagnostic } from '../errors/index.js';
import { validate } from '../graph/validate/validate.js';
import { memoryStore } from '../stream/index.js';
import { computing, type Computing } from './computing.js';
import { diagnosticLine } from './error-line.js';
import { errorSink } from './error-sink.js';
import { nameOfFile, openInput, sizeOf } from './files.js';
import { EXIT, type Io, type Signal } from './io.js';
import { writeText } from './line-sink.js';
import { loadGraph } from './load-graph.js';
import { noProgress, progressLine, type ProgressLine } from './progress-line.js';
import { callOf, findCheckpoint, type Found } from './resuming.js';
import { readRunOptions, type RunSettings } from './run-options.js';
import { openOutputs } from './run-outputs.js';
import { running, type Counting } from './running.js';
import { checkWindowing } from './windowing.js';

export async function runCommand(args: readonly string[], io: Io): Promise<number> {
  const settings = readRunOptions(args);
  const { graphFile, feedsFile } = settings;
  const graph = await loadGraph(graphFile, settings.reading, io.stdin);
  const faults = validate(graph).filter(({ severity }) => isFatal(severity));
  if (faults.length > 0) {
    const lines = faults.map((each) => `${diagnosticLine(each.code, each, { file: nameOfFile(graphFile) })}\n`);
    await writeText(io.stderr, lines.join(''));
    return EXIT.failed;
  }
  checkWindowing(graph, settings);

  let progress: ProgressLine = noProgress;
  const errors = errorSink(io.stderr, () => progress.clear());
  const told = new Set<string>();
  const onDiagnostic = (diagnostic: Diagnostic): void => {
    if (!told.has(diagnostic.message)) errors.write(diagnosticLine(diagnostic.code, diagnostic, { file: nameOfFile(graphFile) }));
    told.add(diagnostic.message);
  };
  const say = (text: string): void => errors.write(`einstream run: ${text}`);
  // From before the first word on, which may be answered by a signal.
  const signals$ = new ReplaySubject<Signal>(2);
  let hearing: Subscription | undefined;
  let computed: Computing | undefined;
  try {
    computed = await computing(graph, settings, onDiagnostic);
    hearing = io.signals$?.subscribe(signals$);
    const found = await findOrBegin(settings, onDiagnostic);
    for (const text of notesOn(settings, found)) say(text);
    const input = await openInput(feedsFile, io.stdin);
    const outputs = await openOutputs(settings, io.stdout).catch((error: unknown) => {
      input.destroy();
      throw error;
    });
    const { scheduler = asyncScheduler } = io;
    const size = await sizeOf(feedsFile);
    const shows = settings.progress === 'always' || (settings.progress === 'auto' && io.stderr.isTTY === true);
    const watch = (counting: Counting): ProgressLine => {
      const counts = () => {
        const { bytes, ...now } = counting();
        return { ...now, share: size === undefined ? undefined : Math.min(1, bytes / Math.max(1, size)) };
      };
      if (shows) progress = progressLine({ stderr: io.stderr, scheduler, counts });
      return progress;
    };
    const call = callOf(graph, settings);
    return await running({ graph, settings, computed, input, outputs, errors, say, call, store: found.store, watch, scheduler, signals$, onDiagnostic }); // prettier-ignore
  } finally {
    hearing?.unsubscribe();
    progress.end();
    await errors.flush();
    await computed?.close();
  }
}

const findOrBegin = ({ checkpoint }: RunSettings, onDiagnostic: (diagnostic: Diagnostic) => void): Promise<Found> =>
  checkpoint === undefined
    ? Promise.resolve({ store: memoryStore(), line: undefined, isComplete: false })
    : findCheckpoint({ ...checkpoint, onDiagnostic });

/** What somebody who keeps checkpoints must know. */
function notesOn({ checkpoint, out }: RunSettings, { line, isComplete }: Found): readonly string[] {
  if (checkpoint === undefined) return [];
  const { folder, resume } = checkpoint;
  if (isComplete) return [`the run of ${folder} has ended already; remove the folder to begin anew`];
  return [
    ...(resume
      ? [line === undefined ? `no checkpoint in ${folder} yet: begins with line 1` : `goes on behind line ${line}`]
      : []),
    ...(out === undefined ? ['lines on the standard output may come again after --resume; --out FILE has each once'] : []),
  ];
}
