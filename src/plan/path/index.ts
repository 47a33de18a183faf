export { contractionPath, type PathOptions } from './contractionPath.js';
export { pairwise, type PairwiseStep } from './pairwise.js';
export { printPath } from './print.js';
export type { ContractionPath, PathMethod, PathStep } from './types.js';
