/**
 * @file `einstream bench`: levels and backends on real runs of a graph, timed in turns and compared.
 */
import type { Subscription } from 'rxjs';
import { js, wasm, type Backend } from '../backends/index.js';
import { isFatal, type Diagnostic } from '../errors/index.js';
import { validate } from '../graph/validate/validate.js';
import { evaluateSync } from '../run/evaluate.js';
import { ALLOWED, benchContender } from './bench-contenders.js';
import { readBenchOptions, type BackendName } from './bench-options.js';
import { benchJson, benchTable } from './bench-report.js';
import { benching } from './benching.js';
import { diagnosticLine } from './error-line.js';
import { nameOfFile } from './files.js';
import { firstLine } from './first-line.js';
import { EXIT, exitOf, type Io, type Signal } from './io.js';
import { writeText } from './line-sink.js';
import { loadGraph } from './load-graph.js';
import { randomFeeds } from './random-feeds.js';

const MAKE: Readonly<Record<BackendName, () => Promise<Backend>>> = { js: () => Promise.resolve(js()), wasm: () => wasm() };

export async function benchCommand(args: readonly string[], io: Io): Promise<number> {
  const settings = readBenchOptions(args);
  const { graphFile, feedsFile, seed, levels, backends, runs, maxLine } = settings;
  const graph = await loadGraph(graphFile, settings.reading, io.stdin);
  const lineOf = (each: Diagnostic): string => `${diagnosticLine(each.code, each, { file: nameOfFile(graphFile) })}\n`;
  const faults = validate(graph).filter(({ severity }) => isFatal(severity));
  if (faults.length > 0) {
    await writeText(io.stderr, faults.map(lineOf).join(''));
    return EXIT.failed;
  }
  const say = (text: string): Promise<void> => writeText(io.stderr, `einstream bench: ${text}\n`);
  let signal: Signal | undefined;
  let hearing: Subscription | undefined;
  const made: Backend[] = [];
  try {
    hearing = io.signals$?.subscribe((each) => void (signal ??= each));
    const feeds =
      feedsFile === undefined
        ? randomFeeds(graph, settings.shapes, seed)
        : await firstLine(graph, feedsFile, { stdin: io.stdin, maxLine });
    const notes = new Set<string>();
    const onDiagnostic = (diagnostic: Diagnostic): void => void notes.add(lineOf(diagnostic));
    const plain = js();
    made.push(plain);
    const want = evaluateSync(graph, feeds, { backend: plain, level: 'none' });
    const contenders = [];
    for (const name of backends) {
      const backend = await MAKE[name]();
      made.push(backend);
      for (const level of levels) contenders.push(benchContender({ graph, feeds, level, name, backend, want, onDiagnostic }));
    }
    await writeText(io.stderr, [...notes].join(''));
    const { clock = () => performance.now() } = io;
    const pause = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
    const found = await benching(contenders, { clock, runs, isStopped: () => signal !== undefined, pause });
    if (found.times !== undefined) {
      const from = feedsFile === undefined ? `drawn from seed ${seed}` : `from ${nameOfFile(feedsFile)}`;
      const benched = { contenders, times: found.times, runs: found.runs, feeds, from };
      await writeText(io.stdout, settings.json ? benchJson(benched) : benchTable(benched));
    }
    const wrong = contenders.filter(({ offBy }) => !(offBy <= ALLOWED));
    for (const { backend, level, offBy } of wrong)
      await say(`${backend} at ${level} gives other numbers than js at none: off by ${offBy.toExponential(1)}`);
    if (signal !== undefined) {
      await say(`stopped by ${signal} after ${found.runs} of ${runs} runs`);
      return exitOf(signal);
    }
    return wrong.length > 0 ? EXIT.failed : EXIT.ok;
  } finally {
    hearing?.unsubscribe();
    await Promise.all(made.map((backend) => backend.close()));
  }
}
