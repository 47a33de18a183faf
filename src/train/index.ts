export { adam, adamW, type AdamOptions, type AdamWOptions } from './adam.js';
export { binaryCrossEntropy, crossEntropy, hinge, huber, mse, satisfaction } from './losses.js';
export type { TrainOptions } from './options.js';
export type { Optimizer, Update, Updated } from './optimizer.js';
export { cosineDecay, exponentialDecay, linearWarmup, stepDecay, type Rate } from './schedules.js';
export { sgd, type SgdOptions } from './sgd.js';
export type { TrainState } from './state.js';
export { train, trainOnline, type TrainStep } from './train.js';
