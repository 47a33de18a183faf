/**
 * @file A graph as a table for people: one value a line, producers first, with shape, dtype and bytes.
 */
import { excerpt, humanBytes } from '../errors/index.js';
import { findNode, isOpNode, isValueNode, type Graph, type NodeId } from '../graph/graph.js';
import type { ValueType } from '../graph/infer.js';
import { keysOf } from '../graph/keys.js';
import { topology } from '../graph/topology.js';
import { isStatic } from '../ops/dims.js';
import { byteSize } from '../tensor/dtype.js';
import { formatShape, numElements } from '../tensor/shape.js';
import { paramsText } from './params-text.js';
import { table } from './table.js';

/** Longest name and longest list of operands shown, in UTF-16 units. */
const SHOWN = 32;

/**
 * @param types by id; none for a broken graph, whose shapes are then not shown
 * @param computing who computes it, where that is known
 */
export function describeGraph(graph: Graph, types: readonly (ValueType | undefined)[], computing?: string): string {
  const { order, blocked } = topology(graph);
  const keys = keysOf(graph);
  const outputs = new Set(graph.outputs.map(({ id }) => id));
  const nameOf = (id: NodeId): string => excerpt(keys[id] ?? `#${id}`, SHOWN);
  const rows = [...order, ...blocked].map((id) => [
    `${outputs.has(id) ? '*' : ' '} ${nameOf(id)}`,
    ...operation(graph, id, nameOf),
    ...typeCells(types[id] ?? declared(graph, id)),
  ]);
  const known = types.filter((type) => type !== undefined);
  const total = known.reduce((sum, type) => sum + (bytesOf(type) ?? 0), 0);
  const isComplete = known.length > 0 && known.every((type) => bytesOf(type) !== undefined);
  const notes = [
    `${rows.length} values, * is an output`,
    ...(isComplete ? [`${humanBytes(total)} in all`] : []),
    ...(computing === undefined ? [] : [`${computing} computes it`]),
  ];
  return `${[...table([['  value', 'op', 'from', 'shape', 'dtype', 'bytes'], ...rows], ['bytes']), '', `  ${notes.join('; ')}`].join('\n')}\n`;
}

function operation(graph: Graph, id: NodeId, nameOf: (id: NodeId) => string): readonly [op: string, from: string] {
  const node = findNode(graph, id)!;
  if (!isOpNode(node)) return [node.op, ''];
  return [
    `${excerpt(node.op, SHOWN)} ${excerpt(paramsText(node), SHOWN)}`.trimEnd(),
    excerpt(node.inputs.map(nameOf).join(', '), 2 * SHOWN),
  ];
}

const declared = (graph: Graph, id: NodeId): ValueType => {
  const node = findNode(graph, id)!;
  if (isValueNode(node)) return { dims: node.value.shape, dtype: undefined };
  return isOpNode(node) ? { dims: undefined, dtype: undefined } : { dims: node.dims, dtype: node.dtype };
};

function typeCells(type: ValueType): readonly string[] {
  const bytes = bytesOf(type);
  return [
    type.dims === undefined ? '?' : excerpt(formatShape(type.dims)),
    type.dtype ?? '?',
    bytes === undefined ? '' : String(bytes),
  ];
}

const bytesOf = ({ dims, dtype }: ValueType): number | undefined =>
  dims === undefined || dtype === undefined || !isStatic(dims) ? undefined : numElements(dims) * byteSize(dtype);
