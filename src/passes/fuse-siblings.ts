/**
 * @file Joins reductions of one operand over the same rows into one `fusedSiblings` node, which runs over them once.
 *
 * Its value holds all results; the reductions become views of it, under their ids and names. Every fold adds up what it did, in
 * the same order, so no bit changes on `js`. Comes after `fuseFolds`, which makes one node of a reduction and what it alone
 * reads. Elementwise siblings stay apart: they write as much as they read, and exponentials wait for no memory.
 */
import { findNode, isOpNode, nodesOf, type Graph, type Node, type NodeId, type OpNode } from '../graph/graph.js';
import { inferTypes } from '../graph/shapes.js';
import { topology } from '../graph/topology.js';
import { fusedSiblings } from '../ops/fusedSiblings.js';
import { isGroup, type FusedStep } from '../ops/fusedSteps.js';
import { knownOp } from '../ops/known.js';
import type { Params } from '../ops/op.js';
import { appendNodes, replaceNodes } from './edit.js';
import type { Pass, PassContext, Rewrite } from './pass.js';
import { familyOf, operandsOf } from './siblings/sibling.js';
import { sharedSteps } from './shared-steps.js';

/** Cost: two walks of the graph. The groups are new nodes behind the last one. */
export const fuseSiblings: Pass = {
  name: 'fuseSiblings',
  rewrite(graph, edit, context) {
    const { maxResults = 1 } = context;
    // A bundle that names no slice has no op to see a result with.
    if (maxResults < 2 || knownOp('slice') === undefined || !hasSeveralFolds(graph)) return;
    const groups = siblingsOf(graph)
      .flatMap((family) => within(family, context))
      .filter((group) => context.joins?.(group.map(({ id }) => id)) !== false);
    if (groups.length === 0) return;
    const shared = sharedSteps();
    const views = Array.from({ length: maxResults }, (_, index) => viewAt(index));
    const made: OpNode[] = [];
    const changes = new Map<NodeId, Node>();
    const rewrites: Rewrite[] = [];
    for (const members of groups) {
      const id = graph.size + made.length;
      const inputs = operandsOf(members);
      const steps = members.map(({ op, params, inputs: own }): FusedStep => ({ op, params, args: own.map((each) => inputs.indexOf(each)) })); // prettier-ignore
      const again = members.some(({ isRecomputed }) => isRecomputed === true) ? ({ isRecomputed: true } as const) : {};
      made.push({ id, op: fusedSiblings.definition.name, inputs, params: shared(steps), ...again });
      members.forEach((member, index) => changes.set(member.id, { ...member, op: 'slice', inputs: [id], params: views[index] }));
      rewrites.push({ rule: 'reductions of the same rows', from: members.map((member) => member.id), into: id });
    }
    edit((draft) => {
      replaceNodes(draft, graph, changes);
      appendNodes(draft, made);
    }, rewrites);
  },
};

const viewAt = (index: number): Params => Object.freeze({ specs: Object.freeze([Object.freeze({ kind: 'at', index })]) });

function hasSeveralFolds(graph: Graph): boolean {
  let folds = 0;
  for (const node of nodesOf(graph)) if (isOpNode(node) && knownOp(node.op)?.fold !== undefined && ++folds > 1) return true;
  return false;
}

/** Families of two and more. Those of one are equally far behind others, so that none depends on another, whatever is joined. */
function siblingsOf(graph: Graph): readonly (readonly OpNode[])[] {
  const types = inferTypes(graph);
  const depth = new Int32Array(graph.size);
  const families = new Map<string, OpNode[]>();
  for (const id of topology(graph).order) {
    const node = findNode(graph, id)!;
    for (const input of node.inputs) depth[id] = Math.max(depth[id], depth[input]);
    const family = isOpNode(node) ? familyOf(node, types) : undefined;
    if (family === undefined) continue;
    const key = `${depth[id]++}|${family}`;
    const members = families.get(key);
    if (members === undefined) families.set(key, [node as OpNode]);
    else members.push(node as OpNode);
  }
  return [...families.values()].filter(({ length }) => length > 1);
}

/** A family in groups that a kernel may have. */
function within(
  family: readonly OpNode[],
  { maxResults = 1, maxFusedNodes, maxFusedOperands = Infinity }: PassContext,
): readonly (readonly OpNode[])[] {
  // prettier-ignore
  const groups: OpNode[][] = [];
  const fits = (members: readonly OpNode[]): boolean =>
    members.length <= maxResults &&
    members.reduce((sum, member) => sum + sizeOf(member), 0) <= maxFusedNodes &&
    operandsOf(members).length <= maxFusedOperands;
  for (const member of family) {
    const last = groups.at(-1);
    if (last !== undefined && fits([...last, member])) last.push(member);
    else groups.push([member]);
  }
  return groups.filter(({ length }) => length > 1);
}

const sizeOf = ({ op, params }: OpNode): number => (isGroup(op) ? (params['steps'] as readonly unknown[]).length : 1);
