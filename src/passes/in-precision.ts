/**
 * @file `inPrecision`: the same graph with wider numbers, as casts at its edges.
 */
import { fault, describeValue } from '../errors/index.js';
import { builder, freezeGraph, type Builder } from '../graph/builder.js';
import { chunked, findNode, isOpNode, placeOf, type Graph, type InputNode, type Names, type Node, type NodeId, type OpNode } from '../graph/graph.js'; // prettier-ignore
import type { ValueType } from '../graph/infer.js';
import { inferTypes } from '../graph/shapes.js';
import { topology } from '../graph/topology.js';
import { throwIfBroken } from '../graph/validate/validate.js';
import { cast } from '../ops/unary/cast.js';

/**
 * A graph that computes in float64 what this one computes in float32: feeds and params are widened as they come, constants are
 * wider already, casts to float32 go to float64. Its outputs are float64 where they were float32. It takes the feeds of this one.
 *
 * An input that declares no dtype is taken for a floating-point one. Integers and booleans stay what they are; what is made of
 * them alone, such as a mean, is float64. Numbers that were rounded to float32 when the graph was built stay so. Node ids change.
 *
 * ```ts
 * const g = graph({ x: input([]) }, ({ x }) => ({ y: sub(add(x, 1), x) }));
 * evaluateSync(g, { x: 2 ** 24 }).y.toArray() // => 0
 * evaluateSync(inPrecision(g, 'float64'), { x: 2 ** 24 }).y.toArray() // => 1
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for another precision, and for a graph that passes have joined ops in, which round to
 *   float32 between their steps; the first fault of a broken graph
 */
export function inPrecision<I extends Names, O extends Names>(graph: Graph<I, O>, precision: 'float64'): Graph<I, O> {
  if (precision !== 'float64')
    throw fault('E_ARGUMENT', { place: 'precision', rule: "a graph is widened to 'float64'", actual: describeValue(precision) });
  throwIfBroken(graph);
  const types = inferTypes(graph, inputTypes(graph));
  const nodes: Node[] = [];
  const into = builder(nodes);
  const places = new Int32Array(graph.size).fill(-1);
  const inputs = new Map<NodeId, NodeId>();
  const widened = (id: NodeId): NodeId => into.add((own) => castOf(own, id)).id;
  for (const id of topology(graph).order) {
    const node = findNode(graph, id)!;
    const isReal = types[id]!.dtype === 'float32';
    if (isOpNode(node))
      places[id] = addOp(node, into, node.inputs.map((input) => places[input]), isReal, widened); // prettier-ignore
    else {
      const constant = isReal && node.op === 'constant' ? { ...node, value: cast(node.value, { dtype: 'float64' }) } : node;
      const own = into.add((at) => ({ ...constant, id: at })).id;
      inputs.set(id, own);
      places[id] = isReal && node.op !== 'constant' ? widened(own) : own;
    }
  }
  const { unproduced: _, ...rest } = graph;
  return freezeGraph<I, O>({
    ...rest,
    chunks: chunked(nodes),
    size: nodes.length,
    inputs: graph.inputs.map((id) => inputs.get(id)!),
    outputs: graph.outputs.map(({ name, id }) => ({ name, id: places[id] })),
  });

  /** Where all operands are integers, the result is wider only if they are. */
  function addOp(
    node: OpNode,
    { add, symbolAt }: Builder,
    operands: readonly NodeId[],
    isReal: boolean,
    wide: typeof widened,
  ): NodeId {
    // prettier-ignore
    if (node.op.startsWith('fused'))
      throw fault('E_ARGUMENT', {
        ...placeOf(node),
        rule: 'ops are widened before passes join them',
        actual: node.op,
        hint: 'inPrecision(graph), then optimize or compile',
      });
    const isCast = node.op === 'cast' && isReal;
    const params = isCast ? { dtype: 'float64' as const } : node.params;
    const isWide = isCast || !isReal || operands.some((id) => symbolAt(id).dtype === 'float64');
    const read = isWide ? operands : operands.map(wide);
    const { alias, ...plain } = node;
    const own = alias === undefined ? {} : { alias: places[alias] };
    return add((id) => ({ ...plain, ...own, id, params, inputs: read })).id;
  }
}

/** Inputs; those that any dtype fits are taken for float32. */
function inputTypes(graph: Graph): ReadonlyMap<NodeId, ValueType> {
  const found = new Map<NodeId, ValueType>();
  for (const id of graph.inputs) {
    const node = findNode(graph, id)!;
    if (node.op !== 'input') continue;
    const { dims, dtype = 'float32' } = node as InputNode;
    found.set(id, { dims, dtype });
  }
  return found;
}

const castOf = (id: NodeId, from: NodeId): OpNode => ({ id, op: 'cast', inputs: [from], params: { dtype: 'float64' } });
