/**
 * @file The graph that a command line names, and the options that say how to read it.
 */
import type { Readable } from 'node:stream';
import { fault, quoted } from '../errors/index.js';
import { GRAPH_LIMITS } from '../graph/formats/limits.js';
import { parseGraph } from '../graph/formats/parse.js';
import type { Graph } from '../graph/graph.js';
import type { Dim, Dims } from '../ops/dims.js';
import { COMPUTED_DTYPES } from '../tensor/dtype.js';
import { oneOf } from './arguments.js';
import { nameOfFile, openInput, readBytes } from './files.js';

/** Options of every command that reads a graph. */
export const GRAPH_OPTIONS = {
  dtype: { type: 'string' },
  size: { type: 'string', multiple: true },
} as const;

interface Reading {
  readonly dtype?: string;
  readonly size?: readonly string[];
}

/** @throws EinstreamError E_ARGUMENT for a file that cannot be read, and what `parseGraph` throws, located in the file */
export async function loadGraph(file: string, { dtype, size = [] }: Reading, stdin: Readable): Promise<Graph> {
  const options = {
    place: nameOfFile(file),
    sizes: Object.fromEntries(size.map(readSize)),
    ...(dtype === undefined ? {} : { dtype: oneOf('dtype', dtype, COMPUTED_DTYPES) }),
  };
  const bytes = await readBytes(await openInput(file, stdin), GRAPH_LIMITS.bytes, file);
  return parseGraph(bytes, options);
}

function readSize(text: string): readonly [string, number] {
  const [, letter, digits] = /^([A-Za-z])=(\d+)$/.exec(text) ?? [];
  if (letter !== undefined) return [letter, Number(digits)];
  throw fault('E_ARGUMENT', { place: '--size', rule: 'a size is letter=integer', expected: 'such as b=3', actual: quoted(text) });
}

/**
 * Shapes by input name: `x=32,784`, with a name or `?` for a size that is not known, and nothing for a scalar.
 *
 * @throws EinstreamError E_ARGUMENT
 */
export function readShapes(texts: readonly string[]): ReadonlyMap<string, Dims> {
  return new Map(
    texts.map((text) => {
      const at = text.lastIndexOf('=');
      const dims = at < 1 ? undefined : readDims(text.slice(at + 1));
      if (dims === undefined)
        throw fault('E_ARGUMENT', {
          place: '--shapes',
          rule: 'shapes are name=sizes',
          expected: 'such as x=32,784 or x=n,784',
          actual: quoted(text),
        });
      return [text.slice(0, at), dims] as const;
    }),
  );
}

function readDims(text: string): Dims | undefined {
  if (text === '') return [];
  const dims = text.split(',').map((item): Dim | undefined => {
    if (item === '?') return null;
    if (/^\d+$/.test(item)) return Number(item);
    return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(item) ? item : undefined;
  });
  return dims.includes(undefined) ? undefined : (dims as Dims);
}
