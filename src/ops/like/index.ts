export { iota, sizeAlong, type IotaParams, type SizeParams } from './counted.js';
export { onesLike, zerosLike } from './filled.js';
export { diagEmbed, sliceScatter, type DiagEmbedParams } from './placed.js';
export { mulNoNan } from './product.js';
export { broadcastLike, reshapeLike, sumLike } from './shaped.js';
