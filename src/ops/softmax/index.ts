export { softmax, logSoftmax, type SoftmaxParams } from './softmax.js';
export { layerNorm, type LayerNormParams } from './layerNorm.js';
