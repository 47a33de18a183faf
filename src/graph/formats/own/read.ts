/**
 * @file Our own form, read: `{ "einstream": 1, "size", "nodes", "inputs", "outputs", … }`.
 */
import { excerpt } from '../../../errors/index.js';
import type { Dims } from '../../../ops/dims.js';
import type { Params } from '../../../ops/op.js';
import { isDType, type ComputedDType } from '../../../tensor/dtype.js';
import { freezeGraph } from '../../builder.js';
import { chunked, type Graph, type Node, type NodeId, type Output } from '../../graph.js';
import type { JsonReader, JsonValue } from '../../json/index.js';
import { limitOf } from '../excess.js';
import { faultList } from '../faults.js';
import type { GraphLimits } from '../limits.js';
import { noParams } from '../params.js';
import { diagnosticFrom } from './diagnostic.js';
import { decodePlain } from './plain.js';
import { bytesIn, readTensor, tensorFrom, type RawTensor } from './tensor.js';

type Limits = Pick<GraphLimits, 'nodes' | 'tensors' | 'tensorBytes'>;
type Extras = { -readonly [K in 'name' | 'location' | 'metadata']?: Node[K] };

const NONE: readonly NodeId[] = Object.freeze([]);

export function ownReader(
  reader: JsonReader,
  limits: Limits,
  paramsOf: (op: string, given: Params) => Params,
): { member(key: string): void; result(): Graph } {
  const nodes: (Node | undefined)[] = [];
  const faults = faultList();
  let inputs: readonly NodeId[] = NONE;
  let outputs: readonly Output[] = [];
  let unproduced: readonly Output[] | undefined;
  let metadata: Graph['metadata'];
  let size = 0;

  const readNodes = (): void => {
    const next = nodeReader(reader, limits, paramsOf, faults.addThrown);
    reader.array((at) => {
      if (at >= limits.nodes) throw limitOf(reader, 'nodes', limits.nodes);
      const node = next(at);
      if (nodes[node.id] === undefined) {
        while (nodes.length < node.id) nodes.push(undefined);
        nodes[node.id] = node;
      } else
        faults.add('E_GRAPH', {
          place: excerpt(node.name ?? `#${node.id}`),
          nodeId: node.id,
          rule: 'an id belongs to one node',
          actual: `two nodes with id ${node.id}`,
        });
    });
  };

  return {
    member(key) {
      if (key === 'nodes') readNodes();
      else if (key === 'size') size = readId(reader, limits.tensors + 1, 'size');
      else if (key === 'inputs') inputs = reader.integers();
      else if (key === 'outputs') outputs = readNamed(reader);
      else if (key === 'unproduced') unproduced = readNamed(reader);
      else if (key === 'metadata') metadata = decodePlain(reader.value()) as Graph['metadata'];
      else if (key === 'faults') reader.array(() => faults.list.push(diagnosticFrom(reader, reader.value())));
    },
    result() {
      while (nodes.length < size) nodes.push(undefined);
      return freezeGraph({
        chunks: chunked(nodes),
        size: nodes.length,
        inputs,
        outputs,
        faults: faults.list,
        ...(unproduced === undefined ? {} : { unproduced: Object.freeze(unproduced) }),
        ...(metadata === undefined ? {} : { metadata }),
      });
    },
  };
}

function readId(reader: JsonReader, limit: number, what: string): NodeId {
  const at = reader.offset();
  const id = reader.integer();
  if (id < 0) throw reader.fault('E_PARSE', { rule: `"${what}" is an integer ≥ 0`, actual: String(id) }, at);
  if (id >= limit) throw limitOf(reader, 'tensors', limit);
  return id;
}

function readNamed(reader: JsonReader): readonly Output[] {
  const list: Output[] = [];
  reader.array(() => {
    let [name, id] = ['', -1];
    reader.object((key) => {
      if (key === 'name') name = reader.string();
      else if (key === 'id') id = reader.integer();
    });
    list.push({ name, id });
  });
  return list;
}

/** Reads one node; the callbacks are made once for all of them. */
function nodeReader(
  reader: JsonReader,
  limits: Limits,
  paramsOf: (op: string, given: Params) => Params,
  onFault: (thrown: unknown) => void,
): (at: number) => Node {
  let [id, op, inputs, params, alias, dims, dtype, value] = [
    -1,
    '',
    NONE,
    noParams,
    undefined,
    undefined,
    undefined,
    undefined,
  ] as [NodeId, string, readonly NodeId[], Params, NodeId?, Dims?, ComputedDType?, RawTensor?];
  let extras: Extras = {};
  let isRecomputed = false;
  let bytes = 0;
  const onMember = (key: string): void => {
    if (key === 'id') id = readId(reader, limits.tensors, 'id');
    else if (key === 'op') op = reader.string();
    else if (key === 'inputs') inputs = reader.integers();
    else if (key === 'params') params = readTree(reader, 'params');
    else if (key === 'name') extras.name = reader.string();
    else if (key === 'dims') dims = readDimList(reader);
    else if (key === 'dtype') dtype = readInputDType(reader);
    else if (key === 'value') value = readTensor(reader);
    else if (key === 'alias') alias = reader.integer();
    else if (key === 'isRecomputed') isRecomputed = reader.boolean();
    else if (key === 'location') extras.location = Object.freeze(readTree(reader, 'location'));
    else if (key === 'metadata') extras.metadata = Object.freeze(readTree(reader, 'metadata'));
  };
  return (at) => {
    id = at;
    op = '';
    inputs = NONE;
    params = noParams;
    alias = dims = dtype = value = undefined;
    extras = {};
    isRecomputed = false;
    const start = reader.offset();
    reader.object(onMember);
    if (op === '') throw reader.fault('E_PARSE', { rule: `node ${at} must have "op"`, actual: 'a node without it' }, start);
    if (op === 'input')
      return {
        id,
        op,
        inputs,
        ...(dims === undefined ? {} : { dims }),
        ...(dtype === undefined ? {} : { dtype }),
        ...extras,
      };
    if (op !== 'param' && op !== 'constant') {
      const node = { id, name: extras.name, op, inputs, params: paramsOf(op, params) };
      return extras.location === undefined && extras.metadata === undefined && alias === undefined && !isRecomputed
        ? node
        : { ...node, ...extras, ...(alias === undefined ? {} : { alias }), ...(isRecomputed ? { isRecomputed } : {}) };
    }
    if (value === undefined) throw reader.fault('E_PARSE', { rule: `a ${op} must have a "value"`, actual: 'none' }, start);
    bytes += bytesIn(value);
    if (bytes > limits.tensorBytes) throw limitOf(reader, 'tensorBytes', limits.tensorBytes);
    try {
      return {
        id,
        op,
        inputs,
        value: tensorFrom(value, { place: excerpt(extras.name ?? `#${id}`), nodeId: id }),
        ...extras,
      } as Node;
    } catch (error) {
      onFault(error);
      return { id, op: 'input', inputs, ...extras }; // stands in for a value that cannot be
    }
  };
}

function readTree(reader: JsonReader, what: string): Readonly<Record<string, unknown>> {
  const at = reader.offset();
  const tree = decodePlain(reader.value());
  if (typeof tree === 'object' && tree !== null && !Array.isArray(tree)) return tree as Record<string, unknown>;
  throw reader.fault('E_PARSE', { rule: `"${what}" is an object` }, at);
}

/** Sizes that cannot be are left for `validate`. */
function readDimList(reader: JsonReader): Dims {
  const at = reader.offset();
  const list: JsonValue = reader.value();
  if (Array.isArray(list) && list.every((dim) => dim === null || typeof dim === 'number' || typeof dim === 'string'))
    return Object.freeze(list as Dims);
  throw reader.fault('E_PARSE', { rule: 'dims are a list of sizes, names and nulls' }, at);
}

function readInputDType(reader: JsonReader): ComputedDType {
  const at = reader.offset();
  const dtype = reader.string();
  if (isDType(dtype)) return dtype as ComputedDType; // one that is only stored is left for `validate`
  throw reader.fault('E_PARSE', { rule: 'a dtype must be known', actual: `"${excerpt(dtype, 40)}"` }, at);
}
