export { analyze, type FusionOpportunity, type OptimizationResult } from './analyze.js';
export { LEVELS, type Level } from './levels.js';
export {
  applyPass,
  applyPasses,
  fusionLimits,
  type Edit,
  type FusionLimits,
  type Pass,
  type PassContext,
  type PassReport,
  type Rewrite,
} from './pass.js';
export { eliminateCommonSubexpressions } from './common-subexpressions.js';
export { eliminateDeadNodes } from './dead-nodes.js';
export { foldConstants } from './fold-constants.js';
export { foldBatchNorm } from './fold-batch-norm.js';
export { fuseFolds } from './fuse-folds.js';
export { fuseSiblings } from './fuse-siblings.js';
export { fuseElementwise } from './fuse-elementwise.js';
export { fuseEpilogues } from './fuse-epilogues.js';
export { mergeEinsums } from './einsum/merge-einsums.js';
export { simplify } from './simplify/simplify.js';
export { optimize, revert, type Optimized, type OptimizeOptions } from './optimize.js';
