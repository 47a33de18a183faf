/**
 * @file Groups while they grow, from their last node towards the inputs.
 */
import type { Graph, NodeId, OpNode } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import { consumers } from '../../graph/topology.js';
import { chainLengths, type Chains } from '../chain-lengths.js';
import type { PassContext } from '../pass.js';
import type { Space } from './space.js';

/** Where a value lies: one an element of the space, one a group in line with it, or one a group with the axes dropped. */
export type Level = 'element' | 'aligned' | 'beside';

/** A bit for each run over a row: the lowest is the one that writes, then the folds', those nearest to the root first. */
export type Runs = number;
export const WRITES: Runs = 1;
export const runOf = (fold: number): Runs => 2 << fold;

export interface Group {
  readonly root: NodeId;
  /** Consumers first. */
  readonly members: NodeId[];
  /** Unknown until a fold joins. */
  space: Space | undefined;
  /** Of the root, and of what has its dims. */
  level: Level | undefined;
  /** Folds of each node that folds, those nearest to the root first. */
  readonly turns: number[];
  /** Additions that are done again for each element. */
  again: number;
  /** What is read from outside so far. */
  readonly operands: Set<NodeId>;
  /** Of these, what the run that writes reads. */
  readonly written: Set<NodeId>;
}

export interface Growth {
  readonly graph: Graph;
  readonly types: readonly (ValueType | undefined)[];
  readonly context: PassContext;
  readonly readers: ReturnType<typeof consumers>;
  readonly groupOf: (Group | undefined)[];
  /** Of members that have not the root's dims. */
  readonly levels: (Level | undefined)[];
  /** The runs that compute a value of each element. */
  readonly runs: Runs[];
  /** The runs that read the operand of a fold. */
  readonly folds: Map<NodeId, { readonly runs: Runs; readonly space: Space }>;
  readonly chains: Chains;
}

export const growthOf = (graph: Graph, types: Growth['types'], context: PassContext): Growth => ({
  graph,
  types,
  context,
  readers: consumers(graph),
  groupOf: new Array<Group | undefined>(graph.size).fill(undefined),
  levels: new Array<Level | undefined>(graph.size).fill(undefined),
  runs: new Array<Runs>(graph.size).fill(0),
  folds: new Map(),
  chains: chainLengths(graph.size, context.maxFusedDepth),
});

export const readersIn = ({ readers: { starts, targets } }: Growth, id: NodeId): Int32Array =>
  targets.subarray(starts[id], starts[id + 1]);

export const readersOf = (growth: Growth, id: NodeId): readonly NodeId[] => Array.from(readersIn(growth, id));

export const levelOf = ({ levels, groupOf }: Growth, id: NodeId): Level => levels[id] ?? groupOf[id]?.level ?? 'element';

/** A group of one node. */
export function openGroup(growth: Growth, node: OpNode, space: Space | undefined): Group {
  const group: Group = { root: node.id, members: [], space, level: undefined, turns: [], again: 0, operands: new Set(), written: new Set() }; // prettier-ignore
  growth.runs[node.id] = WRITES;
  if (space === undefined) addMember(growth, group, node);
  else {
    group.level = levelGiven(space);
    addFold(growth, group, node, space);
  }
  return group;
}

export const levelGiven = ({ gives }: Space): Level => (gives === 'elements' ? 'element' : gives);

export function addMember(growth: Growth, group: Group, node: OpNode): void {
  group.members.push(node.id);
  if (node.id !== group.root) growth.chains.add(node.id, readersIn(growth, node.id));
  growth.groupOf[node.id] = group;
  group.operands.delete(node.id);
  group.written.delete(node.id);
  const isWritten = (growth.runs[node.id] & WRITES) !== 0;
  for (const input of node.inputs) {
    group.operands.add(input);
    if (isWritten) group.written.add(input);
  }
}

export function addFold(growth: Growth, group: Group, node: OpNode, space: Space): void {
  // What softmax gives is computed from its operand wherever it is read.
  const given = space.gives === 'elements' ? growth.runs[node.id] : 0;
  growth.folds.set(node.id, { runs: runOf(group.turns.length) | given, space });
  group.space = space;
  group.turns.push(space.turns);
  growth.levels[node.id] = levelGiven(space);
  if (space.gives !== 'elements') growth.runs[node.id] = 0;
  addMember(growth, group, node);
}
