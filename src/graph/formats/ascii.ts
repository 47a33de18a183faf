/**
 * @file A graph as lines of text for a terminal: one value a line, producers first.
 *
 *     x   input [n, 784] float32
 *     w   param [784, 10] float32
 *     h   = einsum(x, w) {"spec":"ni,io->no"}
 *     y * = relu(h)
 */
import { excerpt } from '../../errors/index.js';
import { formatShape } from '../../tensor/shape.js';
import { findNode, isOpNode, isValueNode, type Graph, type Node, type NodeId } from '../graph.js';
import { keysOf } from '../keys.js';
import { textOfParams } from '../plainText.js';
import { topology } from '../topology.js';

/** Longest name shown, in UTF-16 units. */
const SHOWN = 32;

/** Outputs are marked with a star. What lies on a cycle comes last. */
export function writeAscii(graph: Graph): string {
  const { order, blocked } = topology(graph);
  const keys = keysOf(graph);
  const name = (id: NodeId): string => excerpt(keys[id] ?? `#${id}`, SHOWN);
  const outputs = new Set(graph.outputs.map(({ id }) => id));
  const all = [...order, ...blocked];
  const width = all.reduce((widest, id) => Math.max(widest, name(id).length), 0);
  return all
    .map((id) => `${name(id).padEnd(width)} ${outputs.has(id) ? '*' : ' '} ${described(findNode(graph, id)!, name)}\n`)
    .join('');
}

function described(node: Node, name: (id: NodeId) => string): string {
  if (isOpNode(node)) {
    const params = textOfParams(node.params);
    return `= ${excerpt(node.op, SHOWN)}(${node.inputs.map(name).join(', ')})${params === '{}' ? '' : ` ${excerpt(params)}`}`;
  }
  if (isValueNode(node)) return `${node.op} ${formatShape(node.value.shape)} ${node.value.dtype}`;
  const { dims, dtype } = node;
  return `input ${dims === undefined ? 'any shape' : excerpt(formatShape(dims))} ${dtype ?? 'any dtype'}`;
}
