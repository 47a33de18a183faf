/**
 * @file Patterns that are known by name, read off the nodes of a group, their shapes, and how they read each other.
 *
 * Several may be found in one group. There is no op for convolutions, so no pattern has one.
 */
import type { Graph, NodeId, OpNode } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import { isElementwise } from '../../ops/fused.js';
import { isContraction, isFold } from '../../ops/fusedSteps.js';
import { knownOp } from '../../ops/known.js';
import { isSmaller } from '../smaller.js';
import { isBatchNorm } from './batch-norm.js';
import { isShift, readingOf, type Reading } from './reading.js';

/** Names of what is found again and again in models. */
export type FusionPattern =
  /** A product of matrices plus a vector along its last axis. */
  | 'MatMulBias'
  /** A product of matrices, then an activation. */
  | 'MatMulActivation'
  /** A vector along the last axis is added, then an activation. */
  | 'BiasActivation'
  /** Channels are centred and scaled by given statistics, then cut off at 0. */
  | 'BatchNormReLU'
  /** Nothing but ops on each element, one reading the other. */
  | 'ElementwiseChain'
  /** A reduction, then ops on what it gives. */
  | 'ReduceElementwise'
  /** Reductions over the same rows, none of which reads another one. */
  | 'ParallelReductions'
  /** An op on each element that repeats one of its operands. */
  | 'BroadcastElementwise';

const ACTIVATIONS: ReadonlySet<string> = new Set(['relu', 'gelu', 'geluTanh', 'elu', 'selu', 'hardsigmoid', 'sigmoid', 'logSigmoid', 'softplus', 'silu', 'mish', 'tanh']); // prettier-ignore

const isActivation = ({ op }: OpNode): boolean => ACTIVATIONS.has(op);
const isOnElements = ({ op }: OpNode): boolean => isElementwise(knownOp(op));
const isReduction = ({ op }: OpNode): boolean => isFold(knownOp(op));

const RULES: Readonly<Record<FusionPattern, (reading: Reading) => boolean>> = {
  MatMulBias: (reading) => reading.members.some((node) => reading.reads(node, (from) => isShift(reading, node, from.id) && isMatMul(reading, from))), // prettier-ignore
  MatMulActivation: (reading) => reading.members.some((node) => isActivation(node) && reading.reads(node, (from) => isMatMul(reading, from))), // prettier-ignore
  BiasActivation: (reading) => reading.members.some((node) => isActivation(node) && reading.reads(node, (from) => from.inputs.some((id) => isShift(reading, from, id)))), // prettier-ignore
  BatchNormReLU: (reading) => reading.members.some((node) => node.op === 'relu' && isBatchNorm(reading, node.inputs[0])),
  ElementwiseChain: ({ members, reads }) => members.every(isOnElements) && members.some((node) => reads(node, isOnElements)),
  ReduceElementwise: ({ members, reads }) => members.some((node) => isOnElements(node) && reads(node, isReduction)),
  ParallelReductions: areParallel,
  BroadcastElementwise: ({ members, dims }) => members.some((node) => isOnElements(node) && node.inputs.some((id) => (dims(id)?.length ?? 0) > 0 && isSmaller(dims(id), dims(node.id)))), // prettier-ignore
};

/**
 * All names of patterns.
 *
 * ```ts
 * FUSION_PATTERNS.slice(0, 3) // => ['MatMulBias', 'MatMulActivation', 'BiasActivation']
 * ```
 */
export const FUSION_PATTERNS = Object.freeze(Object.keys(RULES)) as readonly FusionPattern[];

/** @param members of a group, in order of execution */
export function patternsIn(
  graph: Graph,
  members: readonly OpNode[],
  types: readonly (ValueType | undefined)[],
): readonly FusionPattern[] {
  const reading = readingOf(graph, members, types);
  return FUSION_PATTERNS.filter((pattern) => RULES[pattern](reading));
}

/** A contraction of two operands over an index that both have and the result has not: an outer product is none. */
function isMatMul({ dims }: Reading, { op: name, inputs, params }: OpNode): boolean {
  const op = knownOp(name);
  if (!isContraction(op) || inputs.length !== 2) return false;
  const shapes = inputs.map((id) => dims(id)?.map((dim) => (typeof dim === 'number' ? dim : 2)));
  if (shapes.some((shape) => shape === undefined)) return false;
  const { operands, output } = op.contract!(params, shapes as number[][]);
  return operands[0].some((label) => operands[1].includes(label) && !output.includes(label));
}

/** Two folds, neither of which the other is made of. */
function areParallel({ members }: Reading): boolean {
  const folds: NodeId[] = [];
  const foldsBehind = new Map<NodeId, ReadonlySet<NodeId>>();
  for (const node of members) {
    const behind = new Set(node.inputs.flatMap((id) => [...(foldsBehind.get(id) ?? [])]));
    if (isReduction(node)) {
      if (folds.some((fold) => !behind.has(fold))) return true;
      folds.push(node.id);
      behind.add(node.id);
    }
    foldsBehind.set(node.id, behind);
  }
  return false;
}
