/**
 * @file What fusions may be told, at random.
 */
import fc from 'fast-check';
import { isOpNode, nodesOf, type FusionStrategy, type Graph } from '../../src/index.js';
import { knownOp } from '../../src/ops/known.js';

export const STRATEGIES: readonly FusionStrategy[] = ['conservative', 'balanced', 'aggressive', 'memoryAware'];

export const anyFusion = fc.record({
  strategy: fc.constantFrom(...STRATEGIES),
  maxSize: fc.integer({ min: 2, max: 8 }),
  maxDepth: fc.integer({ min: 2, max: 6 }),
  minBenefit: fc.constantFrom(0, 0.1, 0.4),
});

/** Merged contractions are summed in another order. */
export const isReordered = (g: Graph, strategy: FusionStrategy): boolean =>
  strategy === 'aggressive' && [...nodesOf(g)].some((node) => isOpNode(node) && knownOp(node.op)!.contract !== undefined);
