/**
 * @file From lists to a graph: node ids are tensor indices, and what does not fit is noted for `validate`.
 *
 * Ids beyond the tensors belong to nodes that were made here: steps of wrapped specs, and nodes whose tensor was taken.
 */
import { excerpt } from '../../../errors/index.js';
import { parseEinsum } from '../../../ops/einsum/parse.js';
import type { Params } from '../../../ops/op.js';
import { tensorOver, type Tensor } from '../../../tensor/tensor.js';
import { arrayOf } from '../../../tensor/dtype.js';
import { freezeGraph } from '../../builder.js';
import { chunked, type ConstantNode, type Graph, type Node, type NodeId, type Output, type ParamNode } from '../../graph.js';
import { faultList, type FaultList } from '../faults.js';
import type { ParseOptions } from '../limits.js';
import { locationOf } from '../location.js';
import { constantNamed } from './constants.js';
import { outputsOf } from './outputs.js';
import type { Metadata, RawGraph, RawNodes } from './read.js';
import { expandWrapper, isWrapped } from './wrapper.js';

export interface LinkOptions extends Pick<ParseOptions, 'sizes' | 'dtype'> {
  readonly paramsOf: (op: string, given: Params) => Params;
}

const NONE: readonly NodeId[] = Object.freeze([]);

/** An index out of range, kept so that `validate` can name it; no such number leaves the safe integers. */
const outOfBounds = (index: number): NodeId => -1 - Math.min(index, Number.MAX_SAFE_INTEGER - 1);

export function linkGraph(
  raw: RawGraph & { readonly tensors: string[]; readonly nodes: RawNodes },
  options: LinkOptions,
  metadata: Graph['metadata'],
): Graph {
  const { tensors } = raw;
  const nodes = new Array<Node | undefined>(tensors.length).fill(undefined);
  const faults = faultList();
  const bounded = (index: number): NodeId => (index < tensors.length ? index : outOfBounds(index));
  linkNodes(raw, nodes, bounded, faults, options);
  const listed = raw.inputs.map(bounded);
  const unproduced: Output[] = [];
  const inputs = linkInputs(tensors, nodes, listed, unproduced, options);
  if (raw.metadata.size > 0) attachTensorMetadata(nodes, tensors.length, raw.metadata);
  return freezeGraph({
    chunks: chunked(nodes),
    size: nodes.length,
    inputs,
    outputs: outputsOf(tensors, raw.outputs.map(bounded), (id) => nodes[id] !== undefined),
    faults: faults.list,
    ...(unproduced.length > 0 ? { unproduced: Object.freeze(unproduced) } : {}),
    ...(metadata === undefined ? {} : { metadata }),
  });
}

function linkNodes(
  { tensors, nodes: raw }: { readonly tensors: readonly string[]; readonly nodes: RawNodes },
  nodes: (Node | undefined)[],
  bounded: (index: number) => NodeId,
  faults: FaultList,
  options: LinkOptions,
): void {
  const count = tensors.length;
  /** The tensor's own id if it is free, else one beyond, so that the node is still checked. */
  const place = (index: number, at: number): NodeId => {
    if (index >= 0 && index < count && nodes[index] === undefined) return index;
    if (index < 0) faults.add('E_GRAPH', { place: `node ${at}`, rule: 'a node must have an output' });
    else if (index >= count)
      faults.add('E_GRAPH', {
        place: `node ${at}`,
        rule: 'an output must be a tensor of the graph',
        expected: `an index below ${count}`,
        actual: `index ${index}, out of bounds`,
      });
    else
      faults.add('E_GRAPH', {
        place: excerpt(tensors[index]),
        nodeId: index,
        rule: 'a tensor must have one producer',
        actual: `node ${at} produces tensor ${index} too`,
      });
    return nodes.length;
  };
  const put = (node: Node): void => void (nodes[node.id] = node);
  for (let at = 0; at < raw.ops.length; at++) {
    const { op, params, spec } = raw.ops[at];
    const inputs = raw.inputs[at] as number[];
    for (let k = 0; k < inputs.length; k++) if (inputs[k] >= count) inputs[k] = outOfBounds(inputs[k]);
    const id = place(raw.output[at], at);
    const name = tensors[raw.output[at]];
    if (spec === undefined) put({ id, name, op, inputs, params });
    else if (isWrapped(spec)) putSteps(spec, id, name, inputs, nodes, faults, options);
    else put({ id, name, op, inputs, params: sizedParams(spec, params, options) });
    const metadata = raw.metadata.get(at);
    if (metadata !== undefined) put(located(nodes[id]!, { node: metadata }, locationOf(metadata)));
    for (const other of raw.outputs.get(at)?.slice(1) ?? NONE) {
      const alias = place(other, at);
      put({
        id: alias,
        name: tensors[bounded(other)],
        op: 'identity',
        inputs: [id],
        params: options.paramsOf('identity', {}),
        alias: id,
      });
    }
  }
}

/** Gives an einsum the sizes of those letters that only its output has. */
function sizedParams(spec: string, params: Params, { sizes, paramsOf }: LinkOptions): Params {
  if (sizes === undefined || params['sizes'] !== undefined) return params;
  try {
    const { inputs, output } = parseEinsum(spec);
    const known = new Set(inputs.flatMap(({ labels }) => labels));
    const missing = output.labels.filter((letter) => !known.has(letter) && Object.hasOwn(sizes, letter));
    return missing.length === 0
      ? params
      : paramsOf('einsum', { spec, sizes: Object.fromEntries(missing.map((letter) => [letter, sizes[letter]])) });
  } catch {
    return params; // a bad spec is reported by `validate`, with its place
  }
}

function putSteps(
  spec: string,
  id: NodeId,
  name: string | undefined,
  inputs: readonly NodeId[],
  nodes: (Node | undefined)[],
  faults: FaultList,
  { paramsOf }: LinkOptions,
): void {
  try {
    const steps = expandWrapper(spec, inputs.length, { place: excerpt(name ?? `#${id}`), nodeId: id });
    const ids: NodeId[] = [];
    if (id === nodes.length) nodes.push(undefined);
    steps.forEach(({ op, params, reads }, at) => {
      const own = at === steps.length - 1 ? id : nodes.length;
      ids.push(own);
      nodes[own] = {
        id: own,
        name: own === id ? name : undefined,
        op,
        inputs: reads.map((read) => (read >= 0 ? inputs[read] : ids[-1 - read])),
        params: paramsOf(op, params),
      };
    });
  } catch (error) {
    faults.addThrown(error);
    nodes[id] = { id, name, op: 'input', inputs: NONE };
  }
}

/** Gives each tensor without a producer its node: an input if it is listed or none are listed, a constant by its name, else none. */
function linkInputs(
  tensors: readonly string[],
  nodes: (Node | undefined)[],
  listed: readonly NodeId[],
  unproduced: Output[],
  { dtype }: LinkOptions,
): readonly NodeId[] {
  const isListed = new Uint8Array(tensors.length);
  for (const id of listed) if (id >= 0) isListed[id] = 1;
  const free: NodeId[] = [];
  for (let id = 0; id < tensors.length; id++) {
    if (nodes[id] !== undefined) continue;
    const name = tensors[id];
    const value = constantNamed(name);
    if (value !== undefined)
      nodes[id] = { id, name, op: isListed[id] === 1 ? 'param' : 'constant', inputs: NONE, value: scalar(value, dtype) } as
        ParamNode | ConstantNode;
    else if (isListed[id] === 1 || listed.length === 0) {
      nodes[id] = { id, name, op: 'input', inputs: NONE, ...(dtype === undefined ? {} : { dtype }) };
      free.push(id);
    } else unproduced.push(Object.freeze({ name, id }));
  }
  return listed.length > 0 ? listed : free;
}

function scalar(value: number, dtype: ParseOptions['dtype'] = 'float32'): Tensor {
  const array = new (arrayOf(dtype))(1) as Float64Array; // one type stands for all that hold numbers
  array[0] = value;
  return tensorOver(array, dtype, []);
}

function attachTensorMetadata(nodes: (Node | undefined)[], count: number, all: ReadonlyMap<number, Metadata>): void {
  for (const [id, metadata] of all) {
    const node = id < count ? nodes[id] : undefined;
    if (node !== undefined)
      nodes[id] = located(node, { ...node.metadata, tensor: metadata }, node.location ?? locationOf(metadata));
  }
}

const located = (node: Node, metadata: Readonly<Record<string, unknown>>, location: Node['location']): Node => ({
  ...node,
  metadata: Object.freeze(metadata),
  ...(location === undefined ? {} : { location }),
});
