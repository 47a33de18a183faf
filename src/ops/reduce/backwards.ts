/**
 * @file What the gradients of reductions share: a result laid over the elements that it was made of, and its parts.
 */
import { isStatic, type Dims } from '../dims.js';
import { dimsOf } from '../dimsOf.js';
import { foldAxes } from '../foldAxes.js';
import type { Operand } from '../interpreter.js';
import type { GradientOps } from '../vjp.js';
import type { ReduceParams } from './reduction.js';

/** A value for each group, with size 1 at the folded axes: it broadcasts against what was folded. */
export function spread(value: Operand, { axis = null, keepdims = false }: ReduceParams, g: GradientOps): Operand {
  if (keepdims || axis === null) return value; // a scalar broadcasts as it is
  return g.unsqueeze(value, { axis });
}

/** How many elements one result is made of: a number where the shape is known. */
export function countAlong(x: Operand, { axis = null }: ReduceParams, g: GradientOps): Operand {
  const dims = dimsOf(x);
  const sizes: Dims = dims === undefined ? [null] : foldAxes(axis, dims.length, 'gradient').map((at) => dims[at]);
  return isStatic(sizes) ? sizes.reduce((product, size) => product * size, 1) : g.sizeAlong(x, { axis });
}

/** The gradient of an extreme: shared evenly by the elements that hold it. */
export function shared(dy: Operand, x: Operand, y: Operand, g: GradientOps, params: ReduceParams): Operand {
  const holds = g.equal(x, spread(y, params, g));
  const count = g.sum(holds, { axis: params.axis ?? null, keepdims: true });
  return g.where(holds, g.div(spread(dy, params, g), count), 0);
}
