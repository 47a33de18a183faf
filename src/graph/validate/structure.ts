/**
 * @file Faults that need no shapes: what is read must exist, ops must be known, and be called rightly.
 */
import { describeValue, EinstreamError, excerpt, fault, type Fault } from '../../errors/index.js';
import { readParams } from '../../ops/params.js';
import { knownOp } from '../../ops/known.js';
import { COMPUTED_DTYPES, isComputed } from '../../tensor/dtype.js';
import { readDims } from '../dimension.js';
import {
  findNode,
  isOpNode,
  nameOf,
  nodesOf,
  placeOf,
  type Graph,
  type InputNode,
  type Node,
  type NodeId,
  type OpNode,
} from '../graph.js';
import { unknownOp, wrongArity } from '../infer.js';
import type { Collector } from './findings.js';

/** Checks every node. Gives a mark for each id whose type must not be inferred, because the node itself is wrong. */
export function checkNodes(graph: Graph, found: Collector): Uint8Array {
  const wrong = new Uint8Array(graph.size);
  const checkParams = paramsChecker();
  const unproduced = new Map(graph.unproduced?.map(({ id, name }) => [id, name]));
  for (const node of nodesOf(graph)) {
    if (!areReadsSound(graph, node, unproduced, found) || !isNodeSound(node, checkParams, found)) wrong[node.id] = 1;
  }
  return wrong;
}

function areReadsSound(graph: Graph, node: Node, unproduced: ReadonlyMap<NodeId, string>, found: Collector): boolean {
  let sound = true;
  for (let at = 0; at < node.inputs.length; at++) {
    const id = node.inputs[at];
    if (findNode(graph, id) !== undefined) continue;
    sound = false;
    found.fault('E_GRAPH', {
      ...placeOf(node),
      ...missing(graph, id, unproduced),
      rule: `operand ${at} must be a value of the graph`,
    });
  }
  return sound;
}

/** What is said of an id without a node. The interchange reader keeps an index out of range as −1 − index. */
export function missing(
  graph: Graph,
  id: NodeId,
  unproduced: ReadonlyMap<NodeId, string>,
): Pick<Fault, 'expected' | 'actual' | 'hint'> {
  const name = unproduced.get(id);
  if (name !== undefined)
    return {
      actual: `tensor ${id} "${excerpt(name, 40)}", which nothing produces`,
      hint: 'list it among the inputs, or add the node that produces it',
    };
  if (Number.isInteger(id) && id < 0) return { expected: 'the index of a tensor', actual: `index ${-1 - id}, out of bounds` };
  return { expected: `an id from 0 to ${graph.size - 1}`, actual: `#${id}, which is no node` };
}

function isNodeSound(node: Node, checkParams: (node: OpNode) => void, found: Collector): boolean {
  try {
    if (!isOpNode(node)) {
      if (node.op === 'input') checkInput(node);
      return true;
    }
    const op = knownOp(node.op);
    if (op === undefined) throw unknownOp(node);
    if (node.inputs.length < op.minInputs || node.inputs.length > op.maxInputs) throw wrongArity(node, op);
    checkParams(node);
    return true;
  } catch (error) {
    found.error(error, node.location);
    return false;
  }
}

function checkInput(node: InputNode): void {
  if (node.dims !== undefined) readDims(node.dims, excerpt(nameOf(node)));
  if (node.dtype === undefined || isComputed(node.dtype)) return;
  throw fault('E_DTYPE', {
    ...placeOf(node),
    rule: 'an input has a computed dtype',
    expected: COMPUTED_DTYPES.join(', '),
    actual: String(node.dtype),
    hint: 'cast feeds before they enter the graph',
  });
}

/** Reads params by the op's rules, each object once for an op: graphs share them among nodes. */
function paramsChecker(): (node: OpNode) => void {
  const good = new Map<string, WeakSet<object>>();
  return (node) => {
    let known = good.get(node.op);
    if (known === undefined) good.set(node.op, (known = new WeakSet()));
    if (known.has(node.params)) return;
    if (typeof node.params !== 'object' || node.params === null)
      throw fault('E_ARGUMENT', { ...placeOf(node), rule: 'parameters are an object', actual: describeValue(node.params) });
    try {
      readParams(knownOp(node.op)!, node.params, { ...placeOf(node) });
    } catch (cause) {
      if (cause instanceof EinstreamError) throw cause;
      throw fault('E_ARGUMENT', { ...placeOf(node), rule: 'parameters must be readable', cause }); // a getter or a proxy that throws
    }
    known.add(node.params);
  };
}

/** Inputs are nodes that are fed, each once; outputs exist, each name once, at least one. */
export function checkEnds(graph: Graph, found: Collector): void {
  const fed = new Uint8Array(graph.size);
  const unproduced = new Map(graph.unproduced?.map(({ id, name }) => [id, name]));
  graph.inputs.forEach((id, at) => {
    const node = findNode(graph, id);
    const place = { place: node === undefined ? `input ${at}` : excerpt(nameOf(node)), nodeId: id };
    if (node === undefined)
      found.fault('E_GRAPH', { ...place, ...missing(graph, id, unproduced), rule: 'an input must be a value of the graph' });
    else if (node.op !== 'input' && node.op !== 'param')
      found.fault('E_GRAPH', { ...placeOf(node), rule: 'an input must not be produced by a node', actual: `op ${node.op}` });
    else if (fed[id] === 1) found.fault('E_GRAPH', { ...placeOf(node), rule: 'an input is listed once' });
    if (node !== undefined) fed[id] = 1;
  });
  for (const node of nodesOf(graph)) {
    if (node.op === 'input' && fed[node.id] === 0 && graph.faults.length === 0)
      found.fault('E_GRAPH', { ...placeOf(node), rule: 'an input must be listed among the inputs' });
  }
  if (graph.outputs.length === 0)
    found.fault('E_GRAPH', { place: 'outputs', rule: 'a graph must have an output', hint: 'name the values that are wanted' });
  const names = new Set<string>();
  for (const { name, id } of graph.outputs) {
    const place = { place: excerpt(name), nodeId: id };
    if (findNode(graph, id) === undefined)
      found.fault('E_GRAPH', { ...place, ...missing(graph, id, unproduced), rule: 'an output must be a value of the graph' });
    if (names.has(name)) found.fault('E_GRAPH', { ...place, rule: 'an output is listed once' });
    names.add(name);
  }
}
