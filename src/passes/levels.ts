/**
 * @file Which optimisation level runs which passes, in order.
 */
import { eliminateDeadNodes } from './dead-nodes.js';
import { fuseElementwise } from './fuse-elementwise.js';
import { fuseFolds } from './fuse-folds.js';
import { fuseSiblings } from './fuse-siblings.js';
import { fuseEpilogues } from './fuse-epilogues.js';
import { mergeEinsums } from './einsum/merge-einsums.js';
import type { Pass } from './pass.js';

/** `none` runs the graph as given, one kernel a node. */
export const LEVELS = {
  none: [],
  basic: [eliminateDeadNodes],
  standard: [eliminateDeadNodes, fuseFolds, fuseSiblings, fuseElementwise, fuseEpilogues],
  aggressive: [eliminateDeadNodes, mergeEinsums, fuseFolds, fuseSiblings, fuseElementwise, fuseEpilogues],
} as const satisfies Record<string, readonly Pass[]>;

/** How much a graph is optimised before it runs: `'none'`, `'basic'`, `'standard'` or `'aggressive'`. Up to standard no level changes a bit of what `js` gives. */
export type Level = keyof typeof LEVELS;
