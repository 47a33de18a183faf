export { analyze, type OptimizationResult } from './analyze.js';
export { LEVELS, type Level } from './levels.js';
export {
  applyPass,
  applyPasses,
  fusionLimits,
  type Edit,
  type Pass,
  type PassContext,
  type PassReport,
  type Rewrite,
} from './pass.js';
export { chooseLayout } from './choose-layout.js';
export { eliminateCommonSubexpressions } from './common-subexpressions.js';
export { eliminateDeadNodes } from './dead-nodes.js';
export { foldConstants } from './fold-constants.js';
export { foldBatchNorm } from './fold-batch-norm.js';
export { fuseFolds } from './fuse-folds.js';
export { fuseSiblings } from './fuse-siblings.js';
export { fuseElementwise } from './fuse-elementwise.js';
export { fuseEpilogues } from './fuse-epilogues.js';
export { inPrecision } from './in-precision.js';
export { mergeEinsums } from './einsum/merge-einsums.js';
export { simplify } from './simplify/simplify.js';
export { optimize, revert, type Optimized, type OptimizeOptions } from './optimize.js';
export { FUSION_COSTS, type FusionCostModel, type WorkKind } from '../plan/fusionCosts.js';
export { KERNEL_COSTS } from '../plan/kernelCosts.js';
export type { FusionCost } from './group-cost.js';
export type { FusionConfig, FusionLimits, FusionStrategy } from './planner/config.js';
export { findFusionOpportunities, fuse, fusionPlanner, type Fusion, type FusionPlanner } from './planner/fusion-planner.js';
export { fusionCost } from './planner/fusion-cost.js';
export type { FusionOpportunity, FusionType } from './planner/opportunity.js';
export { FUSION_PATTERNS, type FusionPattern } from './planner/patterns.js';
export type { FusionPlan } from './planner/plan.js';
