/**
 * @file Graphviz DOT. One DOT node for each node, one edge for each operand; outputs have a double border.
 */
import { excerpt } from '../../errors/index.js';
import { isOpNode, nameOf, nodesOf, type Graph, type Node } from '../graph.js';

/** Longest name shown, in UTF-16 units. */
const SHOWN = 80;

// Inside quotes DOT has the backslash; Graphviz itself then reads entities such as &lt; in labels.
const quoted = (text: string): string =>
  `"${excerpt(text, SHOWN).replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/&/g, '&amp;')}"`;

export function writeDot(graph: Graph): string {
  const outputs = new Set(graph.outputs.map(({ id }) => id));
  const parts = ['digraph einstream {', '  rankdir=LR;', '  node [shape=box];'];
  const edges: string[] = [];
  for (const node of nodesOf(graph)) {
    parts.push(
      `  n${node.id} [label=${quoted(labelOf(node))}${isOpNode(node) ? '' : ' style=rounded'}${outputs.has(node.id) ? ' peripheries=2' : ''}];`,
    );
    node.inputs.forEach((input) => edges.push(`  n${input < 0 ? `_${-input}` : input} -> n${node.id};`));
  }
  return `${parts.concat(edges).join('\n')}\n}\n`;
}

const labelOf = (node: Node): string => (nameOf(node) === `${node.op}_${node.id}` ? node.op : `${nameOf(node)} = ${node.op}`);
