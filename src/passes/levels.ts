/**
 * @file Which optimisation level runs which passes, in order.
 */
import { chooseLayout } from './choose-layout.js';
import { eliminateCommonSubexpressions } from './common-subexpressions.js';
import { eliminateDeadNodes } from './dead-nodes.js';
import { foldBatchNorm } from './fold-batch-norm.js';
import { foldConstants } from './fold-constants.js';
import { mergeEinsums } from './einsum/merge-einsums.js';
import { fuseElementwise } from './fuse-elementwise.js';
import { fuseFolds } from './fuse-folds.js';
import { fuseSiblings } from './fuse-siblings.js';
import { fuseEpilogues } from './fuse-epilogues.js';
import { simplify } from './simplify/simplify.js';
import type { Pass } from './pass.js';

/** `none` runs the graph as given, one kernel a node. */
export const LEVELS = {
  none: [],
  basic: [eliminateDeadNodes],
  standard: [eliminateDeadNodes, eliminateCommonSubexpressions, fuseFolds, fuseSiblings, fuseElementwise, fuseEpilogues],
  // What folding, simplification and joined contractions leave may be equal by now, and their operands dead.
  aggressive: [
    eliminateDeadNodes,
    eliminateCommonSubexpressions,
    foldConstants,
    simplify,
    chooseLayout,
    foldBatchNorm,
    mergeEinsums,
    eliminateCommonSubexpressions,
    eliminateDeadNodes,
    fuseFolds,
    fuseSiblings,
    fuseElementwise,
    fuseEpilogues,
  ],
} as const satisfies Record<string, readonly Pass[]>;

/** How much a graph is optimised before it runs: `'none'`, `'basic'`, `'standard'` or `'aggressive'`. Up to standard no level changes a bit of what `js` gives. */
export type Level = keyof typeof LEVELS;
