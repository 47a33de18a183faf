/**
 * @file The options of `einstream bench`.
 */
import { fault } from '../errors/index.js';
import type { Dims } from '../ops/dims.js';
import { LEVELS, type Level } from '../passes/index.js';
import { expectFiles, integer, oneOf, readArguments } from './arguments.js';
import { GRAPH_OPTIONS, readShapes } from './load-graph.js';
import { MAX_LINE } from './run-options.js';

export type BackendName = 'js' | 'wasm';

export interface BenchSettings {
  readonly graphFile: string;
  /** Undefined: feeds are drawn from the seed. */
  readonly feedsFile: string | undefined;
  readonly reading: { readonly dtype?: string; readonly size?: readonly string[] };
  readonly backends: readonly BackendName[];
  /** In the order of levels; `none` is always among them, as the others are compared with it. */
  readonly levels: readonly Level[];
  readonly shapes: ReadonlyMap<string, Dims>;
  readonly seed: number;
  readonly runs: number;
  readonly json: boolean;
  readonly maxLine: number;
}

const BACKENDS = ['js', 'wasm'] as const;
const NAMES = Object.keys(LEVELS) as Level[];

const OPTIONS = {
  ...GRAPH_OPTIONS,
  backends: { type: 'string', default: BACKENDS.join() },
  json: { type: 'boolean', default: false },
  levels: { type: 'string', default: NAMES.join() },
  runs: { type: 'string', default: '20' },
  seed: { type: 'string' },
  shapes: { type: 'string', multiple: true, default: [] as string[] },
} as const;

/** @throws EinstreamError E_ARGUMENT */
export function readBenchOptions(args: readonly string[]): BenchSettings {
  const { values, positionals } = readArguments(args, OPTIONS);
  expectFiles(positionals, 1, 2);
  const [graphFile, feedsFile] = positionals as [string, string?];
  if (graphFile === '-' && feedsFile === '-')
    throw fault('E_ARGUMENT', {
      rule: 'the standard input holds the graph or the feeds, not both',
      hint: 'name a file for one of them',
    });
  const drawing = values.seed !== undefined ? 'seed' : values.shapes.length > 0 ? 'shapes' : undefined;
  if (feedsFile !== undefined && drawing !== undefined)
    throw fault('E_ARGUMENT', {
      place: `--${drawing}`,
      rule: 'feeds are drawn, or read from a file',
      hint: 'leave out one of the two',
    });
  const asked = new Set(listOf('levels', values.levels, NAMES));
  return {
    graphFile,
    feedsFile,
    reading: { dtype: values.dtype, size: values.size },
    backends: [...new Set(listOf('backends', values.backends, BACKENDS))],
    levels: NAMES.filter((level) => level === 'none' || asked.has(level)),
    shapes: readShapes(values.shapes),
    seed: integer('seed', values.seed ?? '1', 0, Number.MAX_SAFE_INTEGER),
    runs: integer('runs', values.runs, 1, 1_000_000),
    json: values.json,
    maxLine: MAX_LINE,
  };
}

const listOf = <T extends string>(option: string, text: string, choices: readonly T[]): readonly T[] =>
  text.split(',').map((name) => oneOf(option, name, choices));
