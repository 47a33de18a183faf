export { softmax, logSoftmax, type SoftmaxParams } from './softmax.js';
export { layerNorm, type LayerNorm, type LayerNormParams } from './layerNorm.js';
