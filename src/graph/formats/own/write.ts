/**
 * @file Our own form, written: everything that a graph holds, so that reading it gives an equal graph.
 */
import { isOpNode, isValueNode, nodesOf, type Graph, type Node, type Output } from '../../graph.js';
import { encodePlain } from './plain.js';
import { encodeTensor } from './tensor.js';

export function writeOwn(graph: Graph): string {
  const parts: string[] = [`{"einstream":1,"size":${graph.size},"nodes":[`];
  let comma = '\n';
  for (const node of nodesOf(graph)) {
    parts.push(comma, writeNode(node));
    comma = ',\n';
  }
  parts.push(`\n],"inputs":[${graph.inputs.join()}],"outputs":${writeNamed(graph.outputs)}`);
  if (graph.unproduced !== undefined) parts.push(`,"unproduced":${writeNamed(graph.unproduced)}`);
  if (graph.metadata !== undefined) parts.push(`,"metadata":${encodePlain(graph.metadata, 'metadata')}`);
  if (graph.faults.length > 0) parts.push(`,"faults":${encodePlain(graph.faults, 'faults')}`);
  parts.push('}');
  return parts.join('');
}

const writeNamed = (list: readonly Output[]): string =>
  `[${list.map(({ name, id }) => `{"name":${JSON.stringify(name)},"id":${id}}`).join()}]`;

function writeNode(node: Node): string {
  let text = `{"id":${node.id},"op":${JSON.stringify(node.op)}`;
  if (node.name !== undefined) text += `,"name":${JSON.stringify(node.name)}`;
  if (node.inputs.length > 0) text += `,"inputs":[${node.inputs.join()}]`;
  if (isOpNode(node)) {
    const params = encodePlain(node.params, node.op);
    if (params !== '{}') text += `,"params":${params}`;
    if (node.alias !== undefined) text += `,"alias":${node.alias}`;
    if (node.isRecomputed === true) text += ',"isRecomputed":true';
  } else if (isValueNode(node)) text += `,"value":${encodeTensor(node.value)}`;
  else {
    const { dims, dtype } = node;
    if (dims !== undefined) text += `,"dims":${encodePlain(dims, 'dims')}`;
    if (dtype !== undefined) text += `,"dtype":"${dtype}"`;
  }
  if (node.location !== undefined) text += `,"location":${encodePlain(node.location, 'location')}`;
  if (node.metadata !== undefined) text += `,"metadata":${encodePlain(node.metadata, 'metadata')}`;
  return `${text}}`;
}
