export { contractionPath, type PathOptions } from './contractionPath.js';
export { einsumPath, type PathOperand } from './einsumPath.js';
export { pairwise, type PairwiseStep } from './pairwise.js';
export { printPath } from './print.js';
export type { ContractionPath, PathMethod, PathStep } from './types.js';
