/**
 * @file `einstream run`: feeds as NDJSON in, outputs as NDJSON out.
 */
import type { Readable, Writable } from 'node:stream';
import { js, wasm, type Backend } from '../backends/index.js';
import { fault, formatErrorLine, isFatal, type Diagnostic } from '../errors/index.js';
import { validate } from '../graph/validate/validate.js';
import { LEVELS, type Level } from '../passes/index.js';
import { run } from '../run/index.js';
import { expectFiles, oneOf, positiveInteger, readArguments } from './arguments.js';
import { diagnosticLine } from './error-line.js';
import { fileFault, nameOfFile, openInput, openOutput } from './files.js';
import { EXIT, type Io } from './io.js';
import { isBrokenPipe, isSystemError, lineSink, writeText } from './line-sink.js';
import { GRAPH_OPTIONS, loadGraph } from './load-graph.js';
import { OUTPUT_FORMATS, outputPrinter } from './output-line.js';
import { stream } from './stream.js';

/** Bytes of a line, unless said otherwise. */
export const MAX_LINE = 64 * 2 ** 20;

/** Who may compute, as an option of `run`. */
const BACKENDS: Readonly<Record<'default' | 'js' | 'wasm', () => Promise<{ readonly backend?: Backend }>>> = {
  default: () => Promise.resolve({}),
  js: () => Promise.resolve({ backend: js() }),
  wasm: async () => ({ backend: await wasm() }),
};

export async function runCommand(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, {
    ...GRAPH_OPTIONS,
    backend: { type: 'string', default: 'default' },
    format: { type: 'string', default: 'nested' },
    keep: { type: 'string', multiple: true, default: [] },
    level: { type: 'string', default: 'standard' },
    'max-line': { type: 'string', default: String(MAX_LINE) },
    'on-error': { type: 'string', default: 'stop' },
    out: { type: 'string' },
  });
  expectFiles(positionals, 1, 2);
  const [graphFile, feedsFile = '-'] = positionals as [string, string?];
  const print = outputPrinter(oneOf('format', values.format, OUTPUT_FORMATS));
  const backendOf = BACKENDS[oneOf('backend', values.backend, Object.keys(BACKENDS) as (keyof typeof BACKENDS)[])];
  const level = oneOf('level', values.level, Object.keys(LEVELS) as Level[]);
  const onError = oneOf('on-error', values['on-error'], ['stop', 'skip']);
  const maxLine = positiveInteger('max-line', values['max-line'], 2 ** 30);
  if (graphFile === '-' && feedsFile === '-')
    throw fault('E_ARGUMENT', {
      rule: 'the standard input holds the graph or the feeds, not both',
      hint: 'name a file for one of them',
    });

  const graph = await loadGraph(graphFile, values, io.stdin);
  const faults = validate(graph).filter(({ severity }) => isFatal(severity));
  if (faults.length > 0) {
    await writeText(
      io.stderr,
      faults.map((each) => `${diagnosticLine(each.code, each, { file: nameOfFile(graphFile) })}\n`).join(''),
    );
    return EXIT.failed;
  }
  const stderr = lineSink(io.stderr);
  // Where nobody hears of errors any more, the outputs still count.
  const errors = { ...stderr, flush: () => stderr.flush().catch(() => undefined) };
  const told = new Set<string>();
  const onDiagnostic = (diagnostic: Diagnostic): void => {
    if (!told.has(diagnostic.message)) errors.write(diagnosticLine(diagnostic.code, diagnostic, { file: nameOfFile(graphFile) }));
    told.add(diagnostic.message);
  };
  const operator = run(graph, { ...(await backendOf()), level, keep: values.keep, onDiagnostic });
  const input = await openInput(feedsFile, io.stdin);
  const sink = values.out === undefined ? io.stdout : await outputTo(values.out, [graphFile, feedsFile], input);
  try {
    const { fed, failed } = await stream({
      graph,
      operator,
      print,
      input,
      file: nameOfFile(feedsFile),
      output: lineSink(sink),
      errors,
      maxLine,
      onError,
    });
    if (failed > 0 && onError === 'skip') errors.write(`einstream run: ${failed} of ${fed} lines failed`);
    return failed > 0 ? EXIT.failed : EXIT.ok;
  } catch (error) {
    if (!isSystemError(error) || isBrokenPipe(error)) throw error;
    const isWriting = error.syscall === 'write';
    errors.write(
      `einstream run: ${formatErrorLine(fileFault(isWriting ? (values.out ?? 'stdout') : feedsFile, isWriting ? 'writing must go on' : 'reading must go on', error))}`,
    );
    return EXIT.failed;
  } finally {
    await errors.flush();
    if (sink !== io.stdout) await new Promise<void>((resolve) => sink.end(resolve));
  }
}

/** The file for outputs; when it cannot be had, the input is let go. */
async function outputTo(file: string, inputs: readonly string[], input: Readable): Promise<Writable> {
  try {
    return await openOutput(file, inputs);
  } catch (error) {
    input.destroy();
    throw error;
  }
}
