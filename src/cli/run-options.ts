/**
 * @file The options of `einstream run`, read and checked against one another before any file is opened.
 */
import { fault } from '../errors/index.js';
import { LEVELS, type Level } from '../passes/index.js';
import type { WindowKind } from '../stream/window/index.js';
import { expectFiles, integer, oneOf, readArguments } from './arguments.js';
import { durationOf, readDuration, readWindow } from './durations.js';
import { GRAPH_OPTIONS } from './load-graph.js';
import { OUTPUT_FORMATS, type OutputFormat } from './output-line.js';

/** Bytes of a line, unless said otherwise. */
export const MAX_LINE = 64 * 2 ** 20;

const OPTIONS = {
  ...GRAPH_OPTIONS,
  backend: { type: 'string', default: 'default' },
  checkpoint: { type: 'string' },
  'checkpoint-every': { type: 'string' },
  delay: { type: 'string' },
  format: { type: 'string', default: 'nested' },
  keep: { type: 'string', multiple: true, default: [] as string[] },
  late: { type: 'string' },
  level: { type: 'string', default: 'standard' },
  'max-line': { type: 'string', default: String(MAX_LINE) },
  'on-error': { type: 'string', default: 'stop' },
  out: { type: 'string' },
  progress: { type: 'string', default: 'auto' },
  resume: { type: 'boolean', default: false },
  time: { type: 'string' },
  window: { type: 'string' },
  workers: { type: 'string', default: '0' },
} as const;

export interface RunSettings {
  readonly graphFile: string;
  readonly feedsFile: string;
  readonly reading: { readonly dtype?: string; readonly size?: readonly string[] };
  readonly backend: 'default' | 'js' | 'wasm';
  readonly format: OutputFormat;
  readonly keep: readonly string[];
  readonly level: Level;
  readonly maxLine: number;
  readonly onError: 'stop' | 'skip';
  readonly out: string | undefined;
  readonly progress: 'auto' | 'always' | 'never';
  /** 0: this thread computes. */
  readonly workers: number;
  readonly checkpoint:
    { readonly folder: string; readonly resume: boolean; readonly every: { every: number } | { everyMs: number } } | undefined;
  readonly window:
    | {
        readonly kind: WindowKind;
        readonly text: string;
        readonly time?: string;
        readonly delayMs: number;
        readonly late?: string;
      }
    | undefined;
}

type Values = ReturnType<typeof readArguments<typeof OPTIONS>>['values'];

/** @throws EinstreamError E_ARGUMENT */
export function readRunOptions(args: readonly string[]): RunSettings {
  const { values, positionals } = readArguments(args, OPTIONS);
  expectFiles(positionals, 1, 2);
  const [graphFile, feedsFile = '-'] = positionals as [string, string?];
  if (graphFile === '-' && feedsFile === '-')
    throw fault('E_ARGUMENT', {
      rule: 'the standard input holds the graph or the feeds, not both',
      hint: 'name a file for one of them',
    });
  const workers = integer('workers', values.workers, 0, 1024);
  const level = oneOf('level', values.level, Object.keys(LEVELS) as Level[]);
  if (workers > 0 && (values.keep.length > 0 || level !== 'standard'))
    throw fault('E_ARGUMENT', {
      place: '--workers',
      rule: `workers compute the outputs of a graph at the level "standard", and know no --${level === 'standard' ? 'keep' : 'level'}`,
      hint: 'leave out one of the two',
    });
  return {
    graphFile,
    feedsFile,
    reading: { dtype: values.dtype, size: values.size },
    backend: oneOf('backend', values.backend, ['default', 'js', 'wasm']),
    format: oneOf('format', values.format, OUTPUT_FORMATS),
    keep: values.keep,
    level,
    maxLine: integer('max-line', values['max-line'], 1, 2 ** 30),
    onError: oneOf('on-error', values['on-error'], ['stop', 'skip']),
    out: values.out,
    progress: oneOf('progress', values.progress, ['auto', 'always', 'never']),
    workers,
    checkpoint: readCheckpoint(values),
    window: readWindowing(values),
  };
}

/** Lines or time between two checkpoints, unless said otherwise. */
const EVERY = '5s';

function readCheckpoint(values: Values): RunSettings['checkpoint'] {
  const { checkpoint: folder, 'checkpoint-every': text, resume } = values;
  if (folder === undefined) {
    needs('checkpoint-every', text, '--checkpoint FOLDER');
    needs('resume', resume || undefined, '--checkpoint FOLDER, the one of the run that stopped');
    return undefined;
  }
  const ms = durationOf(text ?? EVERY);
  if (ms === 0 || (ms === undefined && !/^[1-9]\d{0,14}$/.test(text!)))
    throw fault('E_ARGUMENT', {
      place: '--checkpoint-every',
      rule: 'checkpoints are written after so many lines, or so much time',
      expected: 'such as 1000, or 500ms, 5s, 1m',
      actual: JSON.stringify(text),
    });
  return { folder, resume, every: ms === undefined ? { every: Number(text) } : { everyMs: ms } };
}

function readWindowing({ window: text, time, delay, late }: Values): RunSettings['window'] {
  if (text === undefined) {
    for (const [name, value] of Object.entries({ time, delay, late })) needs(name, value, '--window SPEC');
    return undefined;
  }
  const kind = readWindow(text);
  if ('count' in kind) {
    for (const [name, value] of Object.entries({ time, delay, late }))
      if (value !== undefined)
        throw fault('E_ARGUMENT', {
          place: `--${name}`,
          rule: 'count windows take lines as they come, whatever their times',
          hint: 'leave it out, or use a window of time: tumbling, hopping, session',
        });
    return { kind, text, delayMs: 0 };
  }
  if (time === undefined) needs('window', text, '--time NAME: the key of each line that holds its time');
  return { kind, text, time, late, delayMs: delay === undefined ? 0 : readDuration('delay', delay) };
}

/** @throws EinstreamError E_ARGUMENT when the option is there: what it needs is not */
function needs(option: string, value: unknown, what: string): void {
  if (value !== undefined)
    throw fault('E_ARGUMENT', { place: `--${option}`, rule: 'the option goes with another one', hint: `give ${what}` });
}
