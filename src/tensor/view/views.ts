/**
 * @file Views of tensors: other handles on the same buffer. No element is copied, and writing through one is seen by all.
 */
import { fault } from '../../errors/index.js';
import type { Layout } from '../layout.js';
import { formatShape, numElements } from '../shape.js';
import { packed, Tensor, tensorOver } from '../tensor.js';
import { broadcastLayout } from './broadcast.js';
import { inferShape, reshapeLayout } from './reshape.js';
import { sliceLayout } from './slice.js';
import type { SliceSpec } from './specs.js';
import { squeezeLayout, unsqueezeLayout } from './squeeze.js';
import { transposeLayout } from './transpose.js';

/**
 * A handle on the tensor's buffer with another layout, which must stay inside the buffer.
 *
 * @throws EinstreamError E_LIMIT when the layout has more elements or axes than a tensor may
 */
export const viewOf = (base: Tensor, { shape, strides, offset }: Layout): Tensor =>
  new Tensor(base.dtype, shape, strides, offset, numElements(shape), base.buffer);

/** As `sliceLayout`. */
export const sliceView = (base: Tensor, ...specs: readonly SliceSpec[]): Tensor => viewOf(base, sliceLayout(base, specs));

/** As `transposeLayout`. */
export const transposeView = (base: Tensor, perm?: readonly number[]): Tensor => viewOf(base, transposeLayout(base, perm));

/** As `broadcastLayout`. */
export const broadcastView = (base: Tensor, shape: readonly number[]): Tensor => viewOf(base, broadcastLayout(base, shape));

/** As `squeezeLayout`. */
export const squeezeView = (base: Tensor, axes?: number | readonly number[] | null): Tensor =>
  viewOf(base, squeezeLayout(base, axes));

/** As `unsqueezeLayout`. */
export const unsqueezeView = (base: Tensor, axes: number | readonly number[]): Tensor =>
  viewOf(base, unsqueezeLayout(base, axes));

/**
 * The same elements in row-major order under another shape, never copied. One size may be −1.
 *
 * ```ts
 * reshapeView(arange(6), [2, -1]).toArray() // => [[0, 1, 2], [3, 4, 5]]
 * ```
 *
 * @throws EinstreamError E_SHAPE when the counts differ, or when the strides of a view (a transposed one, say) leave
 *   no way but a copy: `reshape` makes it
 */
export function reshapeView(base: Tensor, shape: readonly number[]): Tensor {
  const layout = reshapeLayout(base, shape);
  if (layout !== undefined) return viewOf(base, layout);
  throw fault('E_SHAPE', {
    place: 'reshapeView',
    rule: 'the elements must lie so that strides can say the new shape',
    expected: formatShape(shape),
    actual: `shape ${formatShape(base.shape)} with strides [${base.strides.join(', ')}]`,
    hint: 'reshape copies where it must',
  });
}

/** A view where strides allow it, else a packed copy. */
export function reshapeOrCopy(base: Tensor, shape: readonly number[]): Tensor {
  const layout = reshapeLayout(base, shape);
  return layout === undefined ? tensorOver(packed(base), base.dtype, inferShape(base.shape, shape)) : viewOf(base, layout);
}
