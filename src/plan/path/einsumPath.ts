/**
 * @file The path of an einsum, from its spec.
 */
import { parseEinsum } from '../../ops/einsum/parse.js';
import { resolveEinsum, type LetterSizes } from '../../ops/einsum/resolve.js';
import { numElements, type Shape } from '../../tensor/shape.js';
import { contractionPath, type PathOptions } from './contractionPath.js';
import type { ContractionPath } from './types.js';

/** An operand, or its shape alone. */
export type PathOperand = Shape | { readonly shape: Shape };

/**
 * In which order `einsum` contracts its operands, and at what cost; nothing is computed. `printPath` shows it.
 *
 * ```ts
 * const path = einsumPath('ij,jk,k->i', [[10, 20], [20, 30], [30]]);
 * path.steps.map((step) => step.inputs) // => [[1, 2], [0, 3]]
 * path.flops // => 1600
 * path.largest // => 20
 * ```
 *
 * @param operands tensors or shapes, one for each subscript
 * @throws EinstreamError as `einsum` and `contractionPath` do
 */
export function einsumPath(
  spec: string,
  operands: readonly PathOperand[],
  { sizes, ...options }: PathOptions & { readonly sizes?: LetterSizes } = {},
): ContractionPath {
  const shapes = operands.map((operand) => ('shape' in operand ? operand.shape : operand));
  shapes.forEach((shape) => numElements(shape));
  const { contraction } = resolveEinsum(parseEinsum(spec), shapes, sizes);
  return contractionPath(contraction!, options); // sizes are numbers, so there is one
}
