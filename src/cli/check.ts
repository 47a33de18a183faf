/**
 * @file `einstream check`: every fault of a graph at once.
 */
import { EinstreamError, formatDiagnostic, isFatal, singleLine, type Diagnostic } from '../errors/index.js';
import type { Graph } from '../graph/graph.js';
import { inferShapes } from '../graph/shapes.js';
import { validate } from '../graph/validate/validate.js';
import { validationOf } from '../graph/validation.js';
import { expectFiles, oneOf, readArguments } from './arguments.js';
import { diagnosticLine } from './error-line.js';
import { nameOfFile } from './files.js';
import { EXIT, type Io } from './io.js';
import { writeText } from './line-sink.js';
import { GRAPH_OPTIONS, loadGraph, readShapes } from './load-graph.js';
import { plainString } from './output-line.js';

type Print = (diagnostic: Diagnostic, file: string) => string;

const PRINT: Readonly<Record<'text' | 'line' | 'json', Print>> = {
  text: (diagnostic) => `${formatDiagnostic(diagnostic)}\n\n`,
  line: (diagnostic, file) => `${diagnosticLine(diagnostic.code, diagnostic, { file })}\n`,
  json: ({ severity, code, message, place, nodeId, op, rule, expected, actual, location, suggestions }, file) =>
    `${jsonLine({ file, severity, code, message, place, nodeId, op, rule, expected, actual, location, suggestions })}\n`,
};

/** Values by `JSON.stringify`, with every text safe for a terminal. */
const jsonLine = (record: object): string =>
  JSON.stringify(record).replace(/"(?:[^"\\]|\\.)*"/g, (text) => plainString(JSON.parse(text) as string));

export async function checkCommand(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, {
    ...GRAPH_OPTIONS,
    format: { type: 'string', default: 'text' },
    shapes: { type: 'string', multiple: true, default: [] },
  });
  expectFiles(positionals, 1, Infinity);
  const print = PRINT[oneOf('format', values.format, ['text', 'line', 'json'])];
  const shapes = readShapes(values.shapes);
  let isSound = true;
  for (const file of positionals) {
    const { found, summary } = await examine(() => loadGraph(file, values, io.stdin), shapes);
    const text = found.map((each) => print(each, nameOfFile(file))).join('');
    await writeText(io.stdout, values.format === 'text' ? `${text}${singleLine(nameOfFile(file))}: ${summary}\n` : text);
    if (found.some(({ severity }) => isFatal(severity))) isSound = false;
  }
  return isSound ? EXIT.ok : EXIT.failed;
}

interface Examined {
  readonly found: readonly Diagnostic[];
  readonly summary: string;
}

/** A text that is no graph at all is a finding like any other; a file that is not there is a wrong call. */
async function examine(load: () => Promise<Graph>, shapes: ReturnType<typeof readShapes>): Promise<Examined> {
  try {
    const graph = await load();
    const found = [...validate(graph)];
    if (found.some(({ severity }) => isFatal(severity))) return { found, summary: countsOf(found) };
    inferShapes(graph, shapes);
    const { nodes, inputs, outputs } = validationOf(graph).stats;
    return {
      found,
      summary: `sound: ${count(nodes, 'node')}, ${count(inputs, 'input')}, ${count(outputs, 'output')}${found.length > 0 ? `; ${countsOf(found)}` : ''}`,
    };
  } catch (error) {
    if (!(error instanceof EinstreamError) || error.code === 'E_ARGUMENT') throw error;
    return { found: [error.diagnostic], summary: countsOf([error.diagnostic]) };
  }
}

function countsOf(found: readonly Diagnostic[]): string {
  const errors = found.filter(({ severity }) => isFatal(severity)).length;
  const others = found.length - errors;
  return [...(errors > 0 ? [count(errors, 'error')] : []), ...(others > 0 ? [count(others, 'warning')] : [])].join(', ');
}

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;
