/**
 * @file A group of nodes as patterns see it: who reads whom, and along which axis a vector lies.
 */
import { findNode, isOpNode, type Graph, type NodeId, type OpNode } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import type { Dims } from '../../ops/dims.js';
import { isSmaller } from '../smaller.js';

export interface Reading {
  /** In order of execution. */
  readonly members: readonly OpNode[];
  readonly dims: (id: NodeId) => Dims | undefined;
  /** Whether the node reads a member of that kind. */
  readonly reads: (node: OpNode, isKind: (from: OpNode) => boolean) => boolean;
  /** The member with this id. */
  readonly member: (id: NodeId) => OpNode | undefined;
  /** The op that gives this value, member or not. */
  readonly maker: (id: NodeId) => OpNode | undefined;
}

export function readingOf(graph: Graph, members: readonly OpNode[], types: readonly (ValueType | undefined)[]): Reading {
  const byId = new Map(members.map((member) => [member.id, member]));
  return {
    members,
    dims: (id) => types[id]?.dims,
    reads: ({ inputs }, isKind) => inputs.some((id) => byId.has(id) && isKind(byId.get(id)!)),
    member: (id) => byId.get(id),
    maker(id) {
      const node = findNode(graph, id);
      return node !== undefined && isOpNode(node) ? node : undefined;
    },
  };
}

/** The axis, counted from the last (−1), that a value has alone among axes of size 1, beside a larger one; undefined for others. */
export function vectorAxis({ dims }: Reading, vector: NodeId, beside: NodeId): number | undefined {
  const [own, whole] = [dims(vector), dims(beside)];
  if (own === undefined || whole === undefined || whole.length < 2 || !isSmaller(own, whole)) return undefined;
  const axes = own.flatMap((dim, axis) => (dim === 1 ? [] : [axis - own.length]));
  return axes.length === 1 && own.at(axes[0]) === whole.at(axes[0]) ? axes[0] : undefined;
}

/** True where the node adds a vector along the last axis to this value of its. */
export function isShift(reading: Reading, node: OpNode, value: NodeId): boolean {
  if (node.op !== 'add' || !node.inputs.includes(value)) return false;
  const other = node.inputs[node.inputs[0] === value ? 1 : 0];
  return vectorAxis(reading, other, value) === -1;
}
