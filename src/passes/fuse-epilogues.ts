/**
 * @file Joins a contraction with the elementwise node that alone reads it (bias, activation, scale, residual) into one node.
 *
 * Comes after `fuseElementwise`, which makes one node of what follows. The sum is rounded as if it had been stored
 * (`ops/fusedContraction.ts`), so no bit changes. Contractions of one operand stay: they are reductions and permutes.
 */
import { findNode, isOpNode, nodesOf, type Graph, type Node, type NodeId, type OpNode } from '../graph/graph.js';
import { consumers } from '../graph/topology.js';
import { inferTypes } from '../graph/shapes.js';
import { isElementwise, type FusedStep } from '../ops/fused.js';
import { fusedContraction } from '../ops/fusedContraction.js';
import { isContraction, isGroup } from '../ops/fusedSteps.js';
import type { Params } from '../ops/op.js';
import { knownOp } from '../ops/known.js';
import { isComputed, type ComputedDType } from '../tensor/dtype.js';
import { replaceNodes } from './edit.js';
import type { Pass, PassContext, Rewrite } from './pass.js';
import { sharedSteps } from './shared-steps.js';
import { isSmaller } from './smaller.js';

/** Most steps behind a contraction: kernels repeat their code for each vector of a block. */
const MAX_EPILOGUE = 24;

/** The steps that an elementwise node stands for. */
const stepsOf = ({ op, params, inputs }: OpNode): readonly FusedStep[] =>
  isGroup(op) ? (params as unknown as { readonly steps: readonly FusedStep[] }).steps : [{ op, params, args: inputs.map((_, k) => k) }]; // prettier-ignore

/** Steps of the reader that read each other in turn, from the one that reads this value to the last. */
function stepsBehind(reader: OpNode, id: NodeId): number {
  const steps = stepsOf(reader);
  const behind = new Int32Array(reader.inputs.length + steps.length);
  for (let at = steps.length - 1; at >= 0; at--)
    for (const arg of steps[at].args) behind[arg] = Math.max(behind[arg], behind[reader.inputs.length + at] + 1);
  return reader.inputs.reduce((longest, input, at) => (input === id ? Math.max(longest, behind[at]) : longest), 0);
}

/** The one reader of each contraction that may join it; undefined where there is none. */
function readerOf(
  graph: Graph,
  types: ReturnType<typeof inferTypes>,
  { keep, maxFusedNodes, maxFusedOperands = Infinity, maxFusedDepth = Infinity }: PassContext,
): (contraction: OpNode) => OpNode | undefined {
  const { starts, targets } = consumers(graph);
  const visible = new Uint8Array(graph.size);
  for (const { id } of graph.outputs) visible[id] = 1;
  for (const id of keep) visible[id] = 1;
  return ({ id }) => {
    const [from, to] = [starts[id], starts[id + 1]];
    if (visible[id] === 1 || from === to) return undefined;
    const target = targets[from];
    for (let k = from + 1; k < to; k++) if (targets[k] !== target) return undefined;
    const reader = findNode(graph, target)!;
    if (!isOpNode(reader) || !isElementwise(knownOp(reader.op)) || isSmaller(types[id]?.dims, types[target]?.dims))
      return undefined;
    // The sum's two operands take the place of the sum.
    if (reader.inputs.length + 1 > maxFusedOperands) return undefined;
    if (maxFusedDepth < Infinity && stepsBehind(reader, id) >= maxFusedDepth) return undefined;
    return stepsOf(reader).length <= Math.min(MAX_EPILOGUE, maxFusedNodes - 1) ? reader : undefined;
  };
}

/**
 * One node for both: the contraction's operands first, then what else the reader reads, so that the kernel takes all of them
 * in their order; what both read is there twice.
 */
function join(contraction: OpNode, reader: OpNode, shared: (steps: readonly FusedStep[]) => Params): OpNode {
  const { op, params } = contraction;
  const further = [...new Set(reader.inputs)].filter((id) => id !== contraction.id);
  const inputs = [...contraction.inputs, ...further];
  const placeOf = (arg: number): number => {
    if (arg >= reader.inputs.length) return inputs.length + 1 + arg - reader.inputs.length;
    const id = reader.inputs[arg];
    return id === contraction.id ? inputs.length : contraction.inputs.length + further.indexOf(id);
  };
  const steps = [
    { op, params, args: contraction.inputs.map((_, k) => k) },
    ...stepsOf(reader).map((step): FusedStep => ({ ...step, args: step.args.map(placeOf) })),
  ];
  const again = contraction.isRecomputed === true ? ({ isRecomputed: true } as const) : {};
  return { ...reader, ...again, op: fusedContraction.definition.name, inputs, params: shared(steps) };
}

/**
 * Joins a contraction with the elementwise node that reads it. Cost: three walks of the graph. The reader keeps its id and name; the
 * contraction leaves a hole.
 *
 * ```ts
 * const g = graph({ x: input([8, 8]) }, ({ x }) => ({ y: relu(matmul(x, x)) }));
 * [...nodesOf(optimize(g, { passes: [fuseEpilogues], minFusionBenefit: 0 }).graph)].map(({ op }) => op) // => ['input', 'fusedContraction']
 * ```
 */
export const fuseEpilogues: Pass = {
  name: 'fuseEpilogues',
  rewrite(graph, edit, context) {
    const contractions: OpNode[] = [];
    for (const node of nodesOf(graph))
      if (isOpNode(node) && node.inputs.length > 1 && isContraction(knownOp(node.op))) contractions.push(node);
    if (contractions.length === 0) return;
    const types = inferTypes(graph);
    const find = readerOf(graph, types, context);
    const shared = sharedSteps();
    const changes = new Map<NodeId, Node | undefined>();
    const rewrites: Rewrite[] = [];
    // The last of several contractions that one node reads joins it: the others are ready by then.
    for (const contraction of contractions.reverse()) {
      const reader = find(contraction);
      if (reader === undefined || changes.has(reader.id) || context.joins?.([contraction.id, reader.id]) === false) continue;
      const joined = join(contraction, reader, shared);
      if (!isJoint(joined, joined.inputs.map((id) => types[id]?.dtype))) continue; // prettier-ignore
      rewrites.push({ rule: 'a sum that this node alone reads', from: [contraction.id], into: reader.id });
      changes.set(contraction.id, undefined);
      changes.set(reader.id, joined);
    }
    if (changes.size > 0) edit((draft) => replaceNodes(draft, graph, changes), rewrites);
  },
};

/** False where known dtypes would take two kernels all the same. */
function isJoint({ params }: OpNode, inputs: readonly (ComputedDType | undefined)[]): boolean {
  const known = inputs.filter((dtype): dtype is ComputedDType => dtype !== undefined && isComputed(dtype));
  return known.length < inputs.length || fusedContraction.definition.epilogue!(params, known).isJoint;
}
