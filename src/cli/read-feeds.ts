/**
 * @file One line of NDJSON as feeds: an object of values by input name.
 *
 * A value is nested numbers (or booleans), or `{ "shape": […], "dtype": "…", "data": [flat numbers] }`.
 * "NaN", "Infinity" and "-Infinity" in quotes are numbers. A name that is no input is read over.
 */
import { EinstreamError, fault, quoted } from '../errors/index.js';
import { findNode, isValueNode, nameOf, type Graph, type InputNode } from '../graph/graph.js';
import { jsonReader, type JsonNumbers, type JsonReader } from '../graph/json/index.js';
import { tensor } from '../tensor/create.js';
import { COMPUTED_DTYPES, type ComputedDType } from '../tensor/dtype.js';
import { numElements, readShape, type Shape } from '../tensor/shape.js';
import type { Tensor } from '../tensor/tensor.js';
import { noTime, readTime, timeOf } from './line-time.js';
import type { Line } from './line-splitter.js';

/** The feeds of a line, and its time where that is asked for. */
export interface ReadLine {
  readonly feeds: Readonly<Record<string, Tensor>>;
  readonly time?: number;
}

export interface FeedReader {
  /** What one line says; undefined for a blank one. @throws EinstreamError E_PARSE, E_LIMIT, E_FEED, E_SHAPE, E_DTYPE */
  (line: Line): ReadLine | undefined;
}

export interface FeedReaderOptions {
  /** Where the lines come from, for errors. */
  readonly file: string;
  readonly maxLine: number;
  /** The key that holds the time of a line. */
  readonly time?: string | undefined;
  /** Hears each name that is no input, once. */
  readonly onUnknown: (name: string, line: number) => void;
}

/** Most unknown names that are told of. */
const MOST_UNKNOWN = 20;

export function feedReader(graph: Graph, { file, maxLine, time, onUnknown }: FeedReaderOptions): FeedReader {
  const dtypes = dtypesOf(graph);
  const unknown = new Set<string>();
  return ({ number, bytes }) => {
    if (bytes === undefined) {
      throw fault('E_LIMIT', {
        place: file,
        rule: 'a line has a bounded length',
        expected: `at most ${maxLine} bytes`,
        actual: 'more',
        hint: 'allow more with --max-line',
      });
    }
    if (isBlank(bytes)) return undefined;
    const reader = jsonReader(bytes, { bytes: Infinity }, { file, line: number });
    const feeds = Object.create(null) as Record<string, Tensor>;
    let at: number | undefined;
    reader.object((name) => {
      if (dtypes.has(name)) {
        const from = reader.offset();
        feeds[name] = readValue(reader, name, dtypes.get(name));
        if (name === time) at = timeOf(feeds[name], () => reader.fault('E_FEED', noTime(name), from));
      } else if (name === time) at = readTime(reader, name);
      else if (!unknown.has(name) && unknown.size < MOST_UNKNOWN) {
        unknown.add(name);
        onUnknown(name, number);
      }
    });
    reader.end();
    if (time === undefined) return { feeds };
    if (at === undefined)
      throw fault('E_FEED', { place: time, rule: 'every line needs its time where lines are put into windows', actual: `no ${quoted(time)}` }); // prettier-ignore
    return { feeds, time: at };
  };
}

function dtypesOf(graph: Graph): ReadonlyMap<string, ComputedDType | undefined> {
  const dtypes = new Map<string, ComputedDType | undefined>();
  for (const id of graph.inputs) {
    const node = findNode(graph, id);
    if (node === undefined || dtypes.has(nameOf(node))) continue;
    dtypes.set(nameOf(node), isValueNode(node) ? (node.value.dtype as ComputedDType) : (node as InputNode).dtype);
  }
  return dtypes;
}

/** Space, tab and carriage return. */
export const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);

const NUMBERS = { specials: 'strings' } as const;

function readValue(reader: JsonReader, name: string, declared: ComputedDType | undefined): Tensor {
  if (reader.peek() === 'object') return readRecord(reader, name, declared);
  const at = reader.offset();
  const numbers = reader.numbers(NUMBERS);
  return tensorOf(reader, at, name, numbers, numbers.shape, declared);
}

function readRecord(reader: JsonReader, name: string, declared: ComputedDType | undefined): Tensor {
  const at = reader.offset();
  const parts: { shape?: Shape; dtype?: ComputedDType; data?: JsonNumbers } = {};
  reader.object((key) => {
    if (key === 'shape') parts.shape = readShape(reader.integers(), name);
    else if (key === 'dtype') parts.dtype = readDType(reader);
    else if (key === 'data') parts.data = reader.numbers(NUMBERS);
    else
      throw reader.fault('E_FEED', {
        rule: `a value of ${quoted(name)} has these keys alone`,
        expected: 'shape, dtype and data',
        actual: quoted(key),
      });
  });
  const { shape, data, dtype = declared } = parts;
  if (shape === undefined || data === undefined) {
    throw reader.fault(
      'E_FEED',
      { rule: `the value of ${quoted(name)} needs its shape and data`, actual: `no ${shape === undefined ? 'shape' : 'data'}` },
      at,
    );
  }
  if (data.shape.length !== 1 || data.data.length !== numElements(shape)) {
    throw reader.fault(
      'E_SHAPE',
      {
        rule: `data of ${quoted(name)} is flat and fills the shape`,
        expected: `${numElements(shape)} numbers`,
        actual: `shape [${data.shape.join(', ')}]`,
      },
      at,
    );
  }
  return tensorOf(reader, at, name, data, shape, dtype);
}

function readDType(reader: JsonReader): ComputedDType {
  const at = reader.offset();
  const text = reader.string();
  const dtype = COMPUTED_DTYPES.find((each) => each === text);
  if (dtype !== undefined) return dtype;
  throw reader.fault(
    'E_DTYPE',
    { rule: 'a value has a computed dtype', expected: COMPUTED_DTYPES.join(', '), actual: quoted(text) },
    at,
  );
}

/** Without a declared dtype numbers are float32 and booleans bool, as everywhere. */
function tensorOf(
  reader: JsonReader,
  at: number,
  name: string,
  { data, kind }: JsonNumbers,
  shape: readonly number[],
  dtype: ComputedDType = kind === 'boolean' ? 'bool' : 'float32',
): Tensor {
  const lost = lossOf(data, dtype);
  if (lost !== undefined) throw reader.fault('E_DTYPE', { rule: `${quoted(name)} must hold ${dtype} elements`, ...lost }, at);
  try {
    return tensor(data, { shape, dtype });
  } catch (error) {
    if (error instanceof EinstreamError)
      throw reader.fault(
        error.code,
        { rule: error.diagnostic.rule ?? error.message, actual: error.diagnostic.actual, cause: error },
        at,
      );
    throw error;
  }
}

/** A number that the dtype cannot hold would be changed in silence. Rounding to float32 is what is asked for. */
function lossOf(data: Float64Array, dtype: ComputedDType): { readonly expected: string; readonly actual: string } | undefined {
  if (dtype === 'int32') {
    const found = data.find((value) => value !== (value | 0));
    return found === undefined ? undefined : { expected: 'integers of 32 bits', actual: String(found) };
  }
  const found = dtype === 'bool' ? data.find((value) => value !== 0 && value !== 1) : undefined;
  return found === undefined ? undefined : { expected: 'true, false, 0 or 1', actual: String(found) };
}
