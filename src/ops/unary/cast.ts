/**
 * @file Change of element type.
 */
import { COMPUTED_DTYPES, type ComputedDType } from '../../tensor/dtype.js';
import { defineOp } from '../op.js';
import { oneOf } from '../params.js';
import { broadcastShape } from '../rules.js';
import { s, type Scalar } from '../scalar.js';

/** Towards zero, NaN to 0, and what int32 cannot hold to its ends: storing alone would wrap. */
const toInt32 = (x: Scalar): Scalar => s.select(s.isnan(x), 0, s.max(-(2 ** 31), s.min(2 ** 31 - 1, s.trunc(x))));

/**
 * The elements as another computed dtype. To int32: truncated, saturated, NaN gives 0 (as WebAssembly, Rust and XLA
 * cast). To bool: not zero, so NaN is true. To float32: rounded to nearest even.
 * Tensors of integer storage dtypes (int8, int64, …) are cast on the spot; int64 passes through float64.
 *
 * ```ts
 * cast(tensor([1.9, -1.9, 1e10, NaN]), { dtype: 'int32' }).toArray() // => [1, -1, 2147483647, 0]
 * ```
 */
export const cast = defineOp<1, { readonly dtype: ComputedDType }>({
  name: 'cast',
  aliases: ['astype'],
  doc: 'x as another dtype. To int32: truncated, saturated, NaN gives 0. To bool: not zero.',
  arity: 1,
  reads: 'storage',
  params: { dtype: oneOf(COMPUTED_DTYPES) },
  dtype: (_inputs, params) => params['dtype'] as ComputedDType,
  shape: broadcastShape,
  exprFor:
    ({ dtype }) =>
    (x) =>
      dtype === 'int32' ? toInt32(x) : dtype === 'bool' ? s.ne(x, 0) : x,
  vjp: (dy) => [dy],
  examples: [
    { inputs: [[1.9, -1.9, 1e10, NaN]], params: { dtype: 'int32' }, output: [1, -1, 2147483647, 0] },
    { inputs: [[0, -0, 0.5, NaN]], params: { dtype: 'bool' }, output: [false, false, true, true] },
  ],
});
