/**
 * @file Gradients held within bounds: made of ops, for tensors, variables and symbols alike.
 */
import { add, div, minimum, mul } from '../ops/binary/index.js';
import { isOperand, type Operand, type ResultOf } from '../ops/interpreter.js';
import { sum } from '../ops/reduce/index.js';
import { clip } from '../ops/ternary/index.js';
import { cast, sqrt, square } from '../ops/unary/index.js';
import { describeValue, fault } from '../errors/index.js';
import type { ComputedDType } from '../tensor/dtype.js';
import { requirePositive } from './positive.js';

/** Gradients by name. */
export type GradientsByName<A extends Operand = Operand> = Readonly<Record<string, A>>;
type Clipped<G extends GradientsByName> = { readonly [K in keyof G]: ResultOf<G[K]> };

/** √ of the sum of the squares of all elements of all gradients: a scalar. */
export const globalNorm = (gradients: GradientsByName): Operand =>
  sqrt(Object.values(gradients).map((gradient) => sum(square(gradient))).reduce((total, each) => add(total, each))); // prettier-ignore

/**
 * Holds every element within ±`value`.
 *
 * ```ts
 * clipByValue({ w: tensor([-3, 0.5, 2]) }, { value: 1 }).w.toArray() // => [-1, 0.5, 1]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for a value that is not above 0, and where there are no gradients
 */
export function clipByValue<G extends GradientsByName>(gradients: G, { value }: { readonly value: number }): Clipped<G> {
  requirePositive('clipByValue', { value });
  requireGradients('clipByValue', gradients);
  return mapped(gradients, (gradient) => clip(gradient, { min: -value, max: value }));
}

/**
 * Scales all gradients together so that their norm, √Σ of all squares, is at most `norm`; their direction stays.
 *
 * ```ts
 * const { w, b } = clipByGlobalNorm({ w: tensor([3, 0]), b: tensor(4) }, { norm: 1 });
 * [w.toArray(), b.toArray()] // => [[0.6, 0], 0.8]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for a norm that is not above 0, and where there are no gradients
 */
export function clipByGlobalNorm<G extends GradientsByName>(gradients: G, { norm }: { readonly norm: number }): Clipped<G> {
  requirePositive('clipByGlobalNorm', { norm });
  requireGradients('clipByGlobalNorm', gradients);
  return scaledTo(gradients, globalNorm(gradients), norm);
}

/** The same, of a norm that is there. */
export function scaledTo<G extends GradientsByName>(gradients: G, norm: Operand, most: number): Clipped<G> {
  const scale = minimum(div(most, norm), 1);
  return mapped(gradients, (gradient) => {
    const { dtype } = gradient as { readonly dtype?: ComputedDType };
    return mul(gradient, dtype === undefined ? scale : cast(scale, { dtype }));
  });
}

function mapped<G extends GradientsByName>(gradients: G, by: (gradient: Operand) => Operand): Clipped<G> {
  return Object.fromEntries(Object.entries(gradients).map(([name, gradient]) => [name, by(gradient)])) as Clipped<G>;
}

function requireGradients(place: string, gradients: unknown): void {
  const values = typeof gradients === 'object' && gradients !== null ? Object.values(gradients) : [];
  if (values.length > 0 && values.every(isOperand)) return;
  throw fault('E_ARGUMENT', { place, rule: 'gradients are tensors by name', actual: describeValue(gradients) });
}
