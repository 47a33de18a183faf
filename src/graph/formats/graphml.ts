/**
 * @file GraphML: one node for each node, one edge for each operand, with its position as `port`.
 */
import { singleLine } from '../../errors/index.js';
import { isOpNode, nameOf, nodesOf, type Graph, type Node } from '../graph.js';
import { textOfParams } from '../plainText.js';

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
]);

/** Most names need no escape, in a graph of a million. */
const PLAIN = /^[\w .,:;=()[\]{}-]*$/;

// XML 1.0 cannot hold control characters and half surrogates at all, so they are written out as \uXXXX; nor U+FFFE and U+FFFF.
const escaped = (text: string): string =>
  PLAIN.test(text)
    ? text
    : singleLine(text)
        .replace(/[\ufffe\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`)
        .replace(/[&<>"']/g, (char) => ENTITIES.get(char)!);

const KEYS = [
  ['name', 'node', 'string'],
  ['op', 'node', 'string'],
  ['params', 'node', 'string'],
  ['output', 'node', 'boolean'],
  ['port', 'edge', 'int'],
];

export function writeGraphml(graph: Graph): string {
  const outputs = new Set(graph.outputs.map(({ id }) => id));
  const parts = ['<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'];
  for (const [key, target, type] of KEYS)
    parts.push(`  <key id="${key}" for="${target}" attr.name="${key}" attr.type="${type}"/>`);
  parts.push('  <graph id="einstream" edgedefault="directed">');
  const edges: string[] = [];
  for (const node of nodesOf(graph)) {
    parts.push(
      `    <node id="n${node.id}">${dataOf(node)}${outputs.has(node.id) ? '<data key="output">true</data>' : ''}</node>`,
    );
    node.inputs.forEach((input, port) =>
      edges.push(
        `    <edge id="e${node.id}_${port}" source="n${input}" target="n${node.id}"><data key="port">${port}</data></edge>`,
      ),
    );
  }
  return `${parts.concat(edges).join('\n')}\n  </graph>\n</graphml>\n`;
}

function dataOf(node: Node): string {
  const params = isOpNode(node) ? textOfParams(node.params) : '{}';
  return `<data key="name">${escaped(nameOf(node))}</data><data key="op">${escaped(node.op)}</data>${params === '{}' ? '' : `<data key="params">${escaped(params)}</data>`}`;
}
