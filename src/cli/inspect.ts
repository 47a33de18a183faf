/**
 * @file `einstream inspect`: what is in a graph, as a table or in another form.
 */
import { isFatal, singleLine } from '../errors/index.js';
import { serializeGraph, type GraphFormat } from '../graph/formats/serialize.js';
import { givenShapes, inferTypes } from '../graph/shapes.js';
import { validate } from '../graph/validate/validate.js';
import { computedBy } from '../run/computed-by.js';
import { expectFiles, oneOf, readArguments } from './arguments.js';
import { describeGraph } from './describe-graph.js';
import { nameOfFile } from './files.js';
import { EXIT, type Io } from './io.js';
import { writeText } from './line-sink.js';
import { GRAPH_OPTIONS, loadGraph, readShapes } from './load-graph.js';

const FORMATS: Readonly<Record<'text' | 'ascii' | 'dot' | 'graphml' | 'json' | 'interchange', GraphFormat | undefined>> = {
  text: undefined,
  ascii: 'ascii',
  dot: 'dot',
  graphml: 'graphml',
  json: 'einstream',
  interchange: 'interchange',
};

export async function inspectCommand(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, {
    ...GRAPH_OPTIONS,
    format: { type: 'string', default: 'text' },
    shapes: { type: 'string', multiple: true, default: [] },
  });
  expectFiles(positionals, 1, 1);
  const file = positionals[0];
  const format = FORMATS[oneOf('format', values.format, Object.keys(FORMATS) as (keyof typeof FORMATS)[])];
  const shapes = readShapes(values.shapes);
  const graph = await loadGraph(file, values, io.stdin);
  const faults = validate(graph).filter(({ severity }) => isFatal(severity)).length;
  const types = faults > 0 ? [] : inferTypes(graph, givenShapes(graph, shapes));
  const text =
    format === undefined
      ? describeGraph(graph, types, faults > 0 ? undefined : computedBy(graph, types))
      : serializeGraph(graph, format);
  await writeText(io.stdout, text.endsWith('\n') ? text : `${text}\n`);
  if (faults === 0) return EXIT.ok;
  await writeText(
    io.stderr,
    `${singleLine(nameOfFile(file))}: the graph is broken, errors: ${faults}; einstream check lists them\n`,
  );
  return EXIT.failed;
}
