export { LEVELS, type Level } from './levels.js';
export { applyPass, applyPasses, type Edit, type Pass, type PassContext, type PassReport, type Rewrite } from './pass.js';
export { eliminateDeadNodes } from './dead-nodes.js';
export { fuseFolds } from './fuse-folds.js';
export { fuseSiblings } from './fuse-siblings.js';
export { fuseElementwise } from './fuse-elementwise.js';
export { fuseEpilogues } from './fuse-epilogues.js';
export { mergeEinsums } from './einsum/merge-einsums.js';
