/**
 * @file Graphs that do the same by the same nodes, whatever their names and the order in which they are written.
 *
 * The canonical order is that of a walk from the outputs, operands first: it depends on wiring alone. Nodes that no
 * output depends on are not part of it. Texts are compared in full; the hash only sorts.
 */
import type { Tensor } from '../tensor/tensor.js';
import { bytesOf, toBase64 } from './base64.js';
import {
  chunked,
  findNode,
  isOpNode,
  nameOf,
  type Graph,
  type InputNode,
  type Node,
  type NodeId,
  type OpNode,
  type ParamNode,
} from './graph.js';
import { plainText, textOfParams } from './plainText.js';
import { sameBits } from './same-bits.js';
import { checkGraph } from './check-graph.js';

/** Inputs in the order of feeding, then what outputs depend on, operands before the nodes that read them. */
export function canonicalOrder(graph: Graph): readonly NodeId[] {
  checkGraph(graph);
  const order: NodeId[] = [];
  const seen = new Uint8Array(graph.size);
  const visit = (id: NodeId): boolean => {
    if (seen[id] !== 0 || findNode(graph, id) === undefined) return false;
    seen[id] = 1;
    return true;
  };
  for (const id of graph.inputs) if (visit(id)) order.push(id);
  const next = new Int32Array(graph.size);
  for (const { id: root } of graph.outputs) {
    if (!visit(root)) continue;
    const walk = [root];
    while (walk.length > 0) {
      const id = walk[walk.length - 1];
      const { inputs } = findNode(graph, id)!;
      if (next[id] === inputs.length) order.push(walk.pop()!);
      else {
        const input = inputs[next[id]++];
        if (visit(input)) walk.push(input);
      }
    }
  }
  return order;
}

/** What a graph computes and by which nodes: texts and tensors in canonical order. Forms are equal when both are. */
export interface Form {
  readonly text: string;
  readonly tensors: readonly Tensor[];
}

export function formOf(graph: Graph): Form {
  const order = canonicalOrder(graph);
  const number = new Int32Array(graph.size).fill(-1);
  order.forEach((id, at) => (number[id] = at));
  const tensors: Tensor[] = [];
  const symbols = new Map<string, number>();
  const symbolOf = (name: string): string => {
    if (!symbols.has(name)) symbols.set(name, symbols.size);
    return `s${symbols.get(name)}`;
  };
  const line = (node: Node): string => {
    if (isOpNode(node)) {
      let reads = '';
      for (const input of node.inputs) reads += `,${number[input] ?? -1}`;
      return `${node.op.length}:${node.op}${textOfParams(node.params)}${reads}${node.isRecomputed === true ? ' again' : ''}`;
    }
    if (node.op === 'input') {
      const { dims, dtype } = node;
      const shape =
        dims === undefined ? '*' : `[${dims.map((dim) => (typeof dim === 'string' ? symbolOf(dim) : (dim ?? '?'))).join()}]`;
      return `input ${shape} ${dtype ?? '*'}`;
    }
    const { value } = node as ParamNode;
    tensors.push(value);
    return `${node.op} ${value.dtype} ${value.shape.join()}`;
  };
  const lines = order.map((id) => line(findNode(graph, id)!));
  lines.push(
    `inputs ${graph.inputs.map((id) => number[id] ?? -1).join()}`,
    `outputs ${graph.outputs.map(({ id }) => number[id] ?? -1).join()}`,
  );
  return { text: lines.join('\n'), tensors };
}

/**
 * True when both graphs compute the same by the same nodes: names, the order of independent nodes and nodes that no output
 * depends on do not count; ops, parameters, operands, constants (bit by bit), dtypes, dims and the order of inputs and outputs do.
 *
 * ```ts
 * const make = (name: string) => graph({ [name]: input([2]) }, (symbols) => ({ y: relu(symbols[name]) }));
 * equivalent(make('a'), make('b')) // => true
 * ```
 */
export function equivalent(a: Graph, b: Graph): boolean {
  if (a === b) return true;
  const [x, y] = [formOf(a), formOf(b)];
  return x.text === y.text && x.tensors.every((tensor, at) => sameBits(tensor, y.tensors[at]));
}

/**
 * The whole of what a compilation depends on: as `equivalent`, and the names of inputs and outputs. Equal keys are equal graphs.
 *
 * ```ts
 * const make = (name: string) => graph({ [name]: input([2]) }, (symbols) => ({ y: relu(symbols[name]) }));
 * keyOf(make('a')) === keyOf(make('b')) // => false
 * ```
 */
export function keyOf(graph: Graph): string {
  const { text, tensors } = formOf(graph);
  return [text, namesText(graph), ...tensors.map(({ data }) => toBase64(bytesOf(data)))].join('\n');
}

/** The names that feeds and outputs go by. */
export function namesText(graph: Graph): string {
  const feeds = graph.inputs.map((id) => {
    const node = findNode(graph, id);
    return node === undefined ? null : nameOf(node);
  });
  return plainText([feeds, graph.outputs.map(({ name }) => name)]);
}

/**
 * 64 bits as 16 hex digits, equal for equivalent graphs. Others may share it: compare with `equivalent`.
 *
 * ```ts
 * const make = (name: string) => graph({ [name]: input([2]) }, (symbols) => ({ y: relu(symbols[name]) }));
 * hash(make('a')) === hash(make('b')) // => true
 * ```
 */
export function hash(graph: Graph): string {
  const { text, tensors } = formOf(graph);
  let [a, b] = [0x811c9dc5, 0x9e3779b9];
  const mix = (unit: number): void => {
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x85ebca6b);
    b ^= b >>> 13;
  };
  for (let i = 0; i < text.length; i++) mix(text.charCodeAt(i));
  for (const { data } of tensors) for (const byte of bytesOf(data)) mix(byte);
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}

/**
 * The graph in canonical order, with ids from 0: without names but those of inputs and outputs, without nodes that no output
 * depends on. Equivalent graphs with equal names become equal records.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => { exp(x); return { y: relu(x) }; });
 * [nodeCount(g), nodeCount(canonicalize(g))] // => [3, 2]
 * ```
 */
export function canonicalize(graph: Graph): Graph {
  const order = canonicalOrder(graph);
  const renamed = new Map(order.map((id, at) => [id, at]));
  const fed = new Set(graph.inputs);
  const idOf = (id: NodeId): NodeId => renamed.get(id) ?? -1;
  const nodes = order.map((id, at): Node => {
    const node = findNode(graph, id)!;
    const inputs = node.inputs.map(idOf);
    if (isOpNode(node)) {
      const { op, params, isRecomputed } = node;
      return { id: at, op, inputs, params, ...(isRecomputed === undefined ? {} : { isRecomputed }) } satisfies OpNode;
    }
    const { location: _, metadata: __, name, ...rest } = node as InputNode | ParamNode;
    return { ...rest, ...(fed.has(id) ? { name } : {}), id: at, inputs };
  });
  return Object.freeze({
    chunks: chunked(nodes),
    size: nodes.length,
    inputs: Object.freeze(graph.inputs.map(idOf)),
    outputs: Object.freeze(graph.outputs.map(({ name, id }) => Object.freeze({ name, id: idOf(id) }))),
    faults: graph.faults,
  });
}
