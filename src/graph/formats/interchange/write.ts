/**
 * @file The interchange format, written. It has tensors of names, and four kinds of node; dims, dtypes and tensors of numbers it has not.
 */
import { excerpt, fault, type EinstreamError } from '../../../errors/index.js';
import { isOpNode, isValueNode, nameOf, nodesOf, placeOf, type Graph, type Node, type NodeId } from '../../graph.js';
import { constantName, constantNamed } from './constants.js';
import { opText } from './opText.js';

/**
 * @throws EinstreamError E_GRAPH naming the node that the format cannot say: another op, a tensor that is not a scalar;
 *   E_NAME for an input whose name the format would read as a constant
 */
export function writeInterchange(graph: Graph): string {
  const { names, indexOf } = tensorsOf(graph);
  const nodes: string[] = [];
  const metadata: string[] = [];
  const aliases = aliasesOf(graph);
  const fed = new Set(graph.inputs);
  for (const node of nodesOf(graph)) {
    const { tensor, node: own } = (node.metadata ?? {}) as { readonly tensor?: unknown; readonly node?: unknown };
    if (tensor !== undefined) metadata.push(`"${indexOf(node.id)}":${JSON.stringify(tensor)}`);
    if (!isOpNode(node)) {
      checkNamed(node, fed.has(node.id));
      continue;
    }
    if (aliases.has(node.id)) continue;
    const outputs = [node.id, ...(aliases.of.get(node.id) ?? [])].map(indexOf);
    nodes.push(
      `{"op":${opText(node)},"inputs":[${node.inputs.map(indexOf).join()}],"outputs":[${outputs.join()}]${own === undefined ? '' : `,"metadata":${JSON.stringify(own)}`}}`,
    );
  }
  const text = [
    `{"tensors":[${names.join()}],\n"nodes":[\n`,
    nodes.join(',\n'),
    `\n],\n"inputs":[${graph.inputs.map(indexOf).join()}],"outputs":[${graph.outputs.map(({ id }) => indexOf(id)).join()}]`,
    metadata.length > 0 ? `,\n"tensor_metadata":{${metadata.join()}}}` : '}',
  ].join('');
  return typeof graph.metadata?.['version'] === 'string' ? enveloped(graph.metadata, text) : text;
}

const enveloped = ({ version, created_at, metadata }: Readonly<Record<string, unknown>>, text: string): string =>
  `{"version":${JSON.stringify(version)}${created_at === undefined ? '' : `,"created_at":${JSON.stringify(created_at)}`}${metadata === undefined ? '' : `,"metadata":${JSON.stringify(metadata)}`},\n"graph":${text}}`;

/** One tensor for each node, in order of id: ids without a node take no index. */
function tensorsOf(graph: Graph): { readonly names: readonly string[]; readonly indexOf: (id: NodeId) => number } {
  const index = new Int32Array(graph.size).fill(-1);
  const names: string[] = [];
  const unproduced = new Map(graph.unproduced?.map(({ id, name }) => [id, name]));
  const add = (id: NodeId, name: string): void => {
    index[id] = names.push(JSON.stringify(name)) - 1;
  };
  graph.chunks.forEach((chunk, c) =>
    chunk.forEach((node, k) => {
      const id = c * 1024 + k;
      if (node !== undefined) add(id, tensorName(node));
      else if (unproduced.has(id)) add(id, unproduced.get(id)!);
    }),
  );
  const outOfBounds = (id: NodeId): EinstreamError =>
    fault('E_GRAPH', {
      place: `#${id}`,
      rule: 'what is written must exist',
      actual: 'a read of no value of the graph',
      hint: 'validate the graph',
    });
  return {
    names,
    indexOf(id) {
      const at = index[id];
      if (at === undefined || at < 0) throw outOfBounds(id);
      return at;
    },
  };
}

function tensorName(node: Node): string {
  if (!isValueNode(node) || node.value.shape.length > 0) return nameOf(node);
  const value = Number(node.value.data[0]);
  return node.name !== undefined && Object.is(constantNamed(node.name), value) ? node.name : constantName(value);
}

function checkNamed(node: Node, isFed: boolean): void {
  if (isValueNode(node) && node.value.shape.length > 0) {
    throw fault('E_GRAPH', {
      ...placeOf(node),
      rule: 'the interchange format carries scalars, not tensors',
      actual: `a ${node.op} of shape [${node.value.shape.join(', ')}]`,
      hint: "write the form 'einstream', or make it an input",
    });
  }
  if (node.op === 'input' && isFed && constantNamed(nameOf(node)) !== undefined) {
    throw fault('E_NAME', {
      place: excerpt(nameOf(node)),
      nodeId: node.id,
      rule: 'the interchange format reads such a name as a constant',
      hint: 'rename the input',
    });
  }
}

/** Nodes that repeat another's value as a further output of it. */
function aliasesOf(graph: Graph): { has(id: NodeId): boolean; readonly of: ReadonlyMap<NodeId, readonly NodeId[]> } {
  const of = new Map<NodeId, NodeId[]>();
  const all = new Set<NodeId>();
  for (const node of nodesOf(graph)) {
    if (!isOpNode(node) || node.alias === undefined || node.op !== 'identity' || node.inputs[0] !== node.alias) continue;
    all.add(node.id);
    const list = of.get(node.alias);
    if (list === undefined) of.set(node.alias, [node.id]);
    else list.push(node.id);
  }
  return { has: (id) => all.has(id), of };
}
