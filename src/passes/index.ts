export { LEVELS, type Level } from './levels.js';
export { applyPass, applyPasses, type Edit, type Pass, type PassContext, type PassReport, type Rewrite } from './pass.js';
export { eliminateCommonSubexpressions } from './common-subexpressions.js';
export { eliminateDeadNodes } from './dead-nodes.js';
export { foldConstants } from './fold-constants.js';
export { fuseElementwise } from './fuse-elementwise.js';
export { fuseEpilogues } from './fuse-epilogues.js';
export { simplify } from './simplify/simplify.js';
