/**
 * @file Shapes before they are known: a dimension is a size, a name (equal names are equal sizes), or null (anything).
 */
import { fault } from '../errors/index.js';
import { formatShape, type Shape } from '../tensor/shape.js';

/** A size, a symbol such as `'n'`, or null for "not known". */
export type Dim = number | string | null;
/** A shape that may not be known in full yet: one `Dim` an axis, the outermost first. A scalar has none. */
export type Dims = readonly Dim[];

/** Every size is a number: the dims are a shape. */
export const isStatic = (dims: Dims): dims is Shape => dims.every((dim) => typeof dim === 'number');

/** A known size of 1: the only size that stretches. */
export const isOne = (dim: Dim): boolean => dim === 1;

/** Could be the same size: equal, or one of them not a number. */
export const isCompatible = (a: Dim, b: Dim): boolean => a === b || typeof a !== 'number' || typeof b !== 'number';

/**
 * The dimension that two broadcast dimensions give, or undefined where they cannot.
 *
 * A number other than 1 wins over a symbol, which may still turn out to be 1; two different symbols give null.
 */
export function broadcastDim(a: Dim, b: Dim): Dim | undefined {
  if (a === b) return a;
  if (a === 1) return b;
  if (b === 1) return a;
  if (typeof a === 'number') return typeof b === 'number' ? undefined : a;
  return typeof b === 'number' ? b : null;
}

/**
 * NumPy broadcasting: shapes align at the right, size 1 stretches.
 *
 * @throws EinstreamError E_SHAPE naming the axis and both sizes
 */
export function broadcastDims(all: readonly Dims[], place?: { place?: string; nodeId?: number; op?: string }): Dims {
  const rank = Math.max(0, ...all.map((dims) => dims.length));
  const result = new Array<Dim>(rank).fill(1);
  for (const dims of all) {
    for (let axis = 0; axis < dims.length; axis++) {
      const at = rank - dims.length + axis;
      const dim = broadcastDim(result[at], dims[axis]);
      if (dim === undefined) {
        throw fault('E_SHAPE', {
          ...place,
          rule: `shapes must broadcast: at axis ${at - rank} the sizes must be equal, or one of them 1`,
          expected: String(result[at]),
          actual: `${dims[axis]} (shapes ${all.map(formatShape).join(' and ')})`,
          hint: 'reshape or transpose an operand; sizes align at the right',
        });
      }
      result[at] = dim;
    }
  }
  return result;
}
