export { sum, mean, prod, sumsq, l2norm } from './sums.js';
export { max, min, argmax, argmin } from './extremes.js';
export { any, all, count } from './truths.js';
export { variance, variance as var, std, type SpreadParams } from './spread.js';
export { logsumexp } from './logsumexp.js';
export type { ReduceParams } from './reduction.js';
