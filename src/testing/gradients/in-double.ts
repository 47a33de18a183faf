/**
 * @file A graph in float64, so that differences of nearby values keep their digits.
 */
import { freezeGraph } from '../../graph/builder.js';
import { chunked, findNode, isOpNode, isValueNode, type Graph, type Node, type NodeId } from '../../graph/graph.js';
import type { Params } from '../../ops/op.js';
import { convert } from '../../tensor/convert.js';
import { tensorOver, type Tensor } from '../../tensor/tensor.js';

/** float32 as float64; all else stays as it is. */
export const asDouble = (value: Tensor): Tensor =>
  value.dtype === 'float32' ? tensorOver(convert(value.data, 'float32', 'float64'), 'float64', value.shape) : value;

/** The graph with float64 wherever it says float32. */
export const inDouble = (graph: Graph): Graph =>
  rewritten(graph, (node) => {
    if (isValueNode(node)) return { ...node, value: asDouble(node.value) };
    if (isOpNode(node)) return { ...node, params: paramsInDouble(node.params) };
    return node.op === 'input' && node.dtype === 'float32' ? { ...node, dtype: 'float64' } : node;
  });

/** The graph with constants in the place of some nodes. */
export const holding = (graph: Graph, values: ReadonlyMap<NodeId, Tensor>): Graph =>
  values.size === 0
    ? graph
    : rewritten(graph, (node) => {
        const value = values.get(node.id);
        return value === undefined ? node : { id: node.id, ...named(node), op: 'constant', inputs: [], value };
      });

const named = ({ name }: Node) => (name === undefined ? {} : { name });

function rewritten(graph: Graph, edit: (node: Node) => Node): Graph {
  const nodes = Array.from({ length: graph.size }, (_, id) => findNode(graph, id));
  return freezeGraph({ ...graph, chunks: chunked(nodes.map((node) => node && edit({ ...node, inputs: [...node.inputs] }))) });
}

/** `cast` names its dtype, also within a fused group. */
const paramsInDouble = (params: Params): Params =>
  Object.fromEntries(
    Object.entries(params).map(([key, value]) => [
      key,
      key === 'dtype' && value === 'float32'
        ? 'float64'
        : key === 'steps' && Array.isArray(value)
          ? value.map((step: { readonly params: Params }) => ({ ...step, params: paramsInDouble(step.params) }))
          : value,
    ]),
  );
