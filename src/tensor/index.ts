/**
 * @file Tensors and views: the layer below everything else.
 */
export * from './dtype.js';
export {
  MAX_ELEMENTS,
  MAX_RANK,
  formatShape,
  numElements,
  readIntegers,
  readShape,
  rowMajorStrides,
  sameShape,
  type Shape,
} from './shape.js';
export { normalizeAxes, normalizeAxis } from './axis.js';
export { extent, forEachRun, isRowMajor, rowMajorLayout, type Layout } from './layout.js';
export { MAX_NESTED, type NestedArray } from './nested.js';
export {
  allocateArray,
  allocateTensor,
  copyElements,
  isGone,
  liveArray,
  packed,
  Tensor,
  tensorOver,
  type Buffer,
} from './tensor.js';
export { convert, encoderOf, isCoded } from './convert.js';
export { tensor, wrap, type TensorOptions } from './create.js';
export { arange, eye, full, ones, zeros, type DTypeOptions } from './fill.js';
export { mayShareMemory } from './overlap.js';
export {
  at,
  ellipsis,
  newaxis,
  range,
  reversed,
  stride,
  type AtSpec,
  type EllipsisSpec,
  type NewAxisSpec,
  type RangeSpec,
  type SliceSpec,
} from './view/specs.js';
export { sliceLayout } from './view/slice.js';
export { transposeLayout } from './view/transpose.js';
export { inferShape, reshapeLayout } from './view/reshape.js';
export { broadcastLayout } from './view/broadcast.js';
export { squeezeLayout, unsqueezeLayout } from './view/squeeze.js';
export {
  broadcastView,
  reshapeOrCopy,
  reshapeView,
  sliceView,
  squeezeView,
  transposeView,
  unsqueezeView,
  viewOf,
} from './view/views.js';
export { viewBuilder, type ViewBuilder } from './view/builder.js';
