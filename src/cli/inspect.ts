/**
 * @file `einstream inspect`: what is in a graph, as a table or in another form, or what passes make of it.
 */
import { fault, isFatal, singleLine } from '../errors/index.js';
import { serializeGraph, type GraphFormat } from '../graph/formats/serialize.js';
import type { Graph } from '../graph/graph.js';
import { givenShapes, inferTypes } from '../graph/shapes.js';
import { validate } from '../graph/validate/validate.js';
import type { Dims } from '../ops/dims.js';
import { LEVELS, type Level } from '../passes/index.js';
import { compile } from '../run/compile/index.js';
import { computedBy } from '../run/computed-by.js';
import { expectFiles, integer, oneOf, readArguments } from './arguments.js';
import { describeGraph } from './describe-graph.js';
import { describePasses } from './describe-passes.js';
import { nameOfFile } from './files.js';
import { EXIT, type Io } from './io.js';
import { writeText } from './line-sink.js';
import { GRAPH_OPTIONS, loadGraph, readShapes } from './load-graph.js';
import { trailOf } from './trail.js';

const FORMATS: Readonly<Record<'text' | 'ascii' | 'dot' | 'graphml' | 'json' | 'interchange', GraphFormat | undefined>> = {
  text: undefined,
  ascii: 'ascii',
  dot: 'dot',
  graphml: 'graphml',
  json: 'einstream',
  interchange: 'interchange',
};

const OPTIONS = {
  ...GRAPH_OPTIONS,
  format: { type: 'string', default: 'text' },
  level: { type: 'string' },
  most: { type: 'string' },
  passes: { type: 'boolean', default: false },
  shapes: { type: 'string', multiple: true, default: [] as string[] },
} as const;

export async function inspectCommand(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS);
  expectFiles(positionals, 1, 1);
  const file = positionals[0];
  const format = FORMATS[oneOf('format', values.format, Object.keys(FORMATS) as (keyof typeof FORMATS)[])];
  const shapes = readShapes(values.shapes);
  const passes = readPasses(values);
  const graph = await loadGraph(file, values, io.stdin);
  const faults = validate(graph).filter(({ severity }) => isFatal(severity)).length;
  const types = faults > 0 || passes !== undefined ? [] : inferTypes(graph, givenShapes(graph, shapes));
  const text = (): string => {
    if (format !== undefined) return serializeGraph(graph, format);
    if (passes !== undefined && faults === 0) return passesText(graph, shapes, passes);
    return describeGraph(graph, types, faults > 0 ? undefined : computedBy(graph, types));
  };
  const shown = text();
  await writeText(io.stdout, shown.endsWith('\n') ? shown : `${shown}\n`);
  if (faults === 0) return EXIT.ok;
  await writeText(
    io.stderr,
    `${singleLine(nameOfFile(file))}: the graph is broken, errors: ${faults}; einstream check lists them\n`,
  );
  return EXIT.failed;
}

interface PassesAsked {
  readonly passes: boolean;
  readonly level?: string;
  readonly most?: string;
  readonly format: string;
}

interface Passes {
  readonly level: Level;
  /** Rewrites of a rule that are shown. */
  readonly most: number;
}

/** Undefined where nobody asks for passes. @throws EinstreamError E_ARGUMENT */
function readPasses({ passes, level, most, format }: PassesAsked): Passes | undefined {
  if (!passes) {
    for (const [name, value] of Object.entries({ level, most }))
      if (value !== undefined)
        throw fault('E_ARGUMENT', { place: `--${name}`, rule: 'the option goes with another one', hint: 'give --passes' });
    return undefined;
  }
  if (format !== 'text')
    throw fault('E_ARGUMENT', { place: '--passes', rule: 'passes are told as text', expected: '--format text', actual: format });
  return {
    level: oneOf('level', level ?? 'standard', Object.keys(LEVELS) as Level[]),
    most: integer('most', most ?? '8', 0, 1_000_000),
  };
}

function passesText(graph: Graph, given: ReadonlyMap<string, Dims>, { level, most }: Passes): string {
  const compiled = compile(graph, { level, ...(given.size === 0 ? {} : { shapes: Object.fromEntries(given) }) });
  return describePasses(compiled, trailOf(compiled, given), most);
}
