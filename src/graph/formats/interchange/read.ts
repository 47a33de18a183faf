/**
 * @file The interchange format as it stands in the text: lists of names, nodes and ids. What they mean is told by `link.ts`.
 *
 * A million nodes are read, so nothing is made for a node but its two lists: ops and parameters are shared, and the
 * callbacks are made once.
 */
import type { Params } from '../../../ops/op.js';
import type { JsonReader, JsonValue } from '../../json/index.js';
import { limitOf } from '../excess.js';
import type { GraphLimits } from '../limits.js';
import { opReader, type OpEntry } from './ops.js';

export type Metadata = Readonly<Record<string, JsonValue>>;

/** Column by column: entry k of each belongs to node k. */
export interface RawNodes {
  readonly ops: OpEntry[];
  readonly inputs: (readonly number[])[];
  /** The first output, −1 where there is none. */
  readonly output: number[];
  /** All outputs of the few nodes that have not exactly one. */
  readonly outputs: Map<number, readonly number[]>;
  readonly metadata: Map<number, Metadata>;
}

export interface RawGraph {
  tensors: string[] | undefined;
  nodes: RawNodes | undefined;
  inputs: readonly number[];
  outputs: readonly number[];
  /** By tensor index. */
  metadata: Map<number, Metadata>;
}

const NO_IDS: readonly number[] = Object.freeze([]);

/** Makes a reader of one member of a graph; false for a key that it does not know. */
export function graphReader(
  reader: JsonReader,
  limits: Pick<GraphLimits, 'nodes' | 'tensors'>,
  paramsOf: (op: string, given: Params) => Params,
): { readonly raw: RawGraph; member(key: string): boolean } {
  const raw: RawGraph = { tensors: undefined, nodes: undefined, inputs: NO_IDS, outputs: NO_IDS, metadata: new Map() };
  const member = (key: string): boolean => {
    if (key === 'tensors') raw.tensors = readNames(reader, limits.tensors);
    else if (key === 'nodes') raw.nodes = readNodes(reader, limits.nodes, paramsOf);
    else if (key === 'inputs') raw.inputs = readIds(reader);
    else if (key === 'outputs') raw.outputs = readIds(reader);
    else if (key === 'tensor_metadata') raw.metadata = readTensorMetadata(reader);
    else return false;
    return true;
  };
  return { raw, member };
}

function readNames(reader: JsonReader, limit: number): string[] {
  const names: string[] = [];
  reader.array((at) => {
    if (at >= limit) throw limitOf(reader, 'tensors', limit);
    names.push(reader.string());
  });
  return names;
}

/** Indices of tensors: integers ≥ 0. Whether such a tensor exists is another question. */
function readIds(reader: JsonReader): readonly number[] {
  const at = reader.offset();
  const ids = reader.integers();
  for (let k = 0; k < ids.length; k++) {
    if (ids[k] < 0)
      throw reader.fault('E_PARSE', { rule: 'the index of a tensor is an integer ≥ 0', actual: String(ids[k]) }, at);
  }
  return ids;
}

function readNodes(reader: JsonReader, limit: number, paramsOf: (op: string, given: Params) => Params): RawNodes {
  const nodes: RawNodes = { ops: [], inputs: [], output: [], outputs: new Map(), metadata: new Map() };
  const readOp = opReader(reader, paramsOf);
  const node: { op?: OpEntry; inputs?: readonly number[]; outputs?: readonly number[] } = {};
  const onMember = (key: string): void => {
    if (key === 'op') node.op = readOp();
    else if (key === 'inputs') node.inputs = readIds(reader);
    else if (key === 'outputs') node.outputs = readIds(reader);
    else if (key === 'metadata') {
      const value = reader.value();
      if (isTree(value)) nodes.metadata.set(nodes.ops.length, value);
    }
  };
  const forget = (): void => {
    node.op = node.inputs = node.outputs = undefined;
  };
  reader.array((at) => {
    if (at >= limit) throw limitOf(reader, 'nodes', limit);
    forget();
    const start = reader.offset();
    reader.object(onMember);
    const { op, inputs, outputs } = node;
    if (op === undefined || inputs === undefined || outputs === undefined) {
      const missing = op === undefined ? 'op' : inputs === undefined ? 'inputs' : 'outputs';
      throw reader.fault('E_PARSE', { rule: `node ${at} must have "${missing}"`, actual: 'a node without it' }, start);
    }
    nodes.ops.push(op);
    nodes.inputs.push(inputs);
    nodes.output.push(outputs[0] ?? -1);
    if (outputs.length !== 1) nodes.outputs.set(at, outputs);
  });
  return nodes;
}

/** Keys are indices as strings; others belong to no tensor and are left alone, as unknown keys are. */
function readTensorMetadata(reader: JsonReader): Map<number, Metadata> {
  const metadata = new Map<number, Metadata>();
  if (reader.peek() === 'null') {
    reader.null();
    return metadata;
  }
  reader.object((key) => {
    if (!/^(?:0|[1-9]\d{0,15})$/.test(key)) return;
    const value = reader.value();
    if (isTree(value)) metadata.set(Number(key), value);
  });
  return metadata;
}

const isTree = (value: JsonValue): value is Metadata => typeof value === 'object' && value !== null && !Array.isArray(value);
