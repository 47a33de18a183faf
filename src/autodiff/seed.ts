/**
 * @file Where a gradient starts: what each target weighs.
 */
import { excerpt, fault } from '../errors/index.js';
import type { Builder, GraphSymbol } from '../graph/builder.js';
import type { ValueType } from '../graph/infer.js';
import { isStatic } from '../ops/dims.js';
import { INTERPRETER } from '../ops/interpreter.js';
import { onesLike, zerosLike } from '../ops/like/index.js';
import { formatShape } from '../tensor/shape.js';
import { full } from '../tensor/index.js';
import type { GradientOptions, Target } from './targets.js';

/** @throws EinstreamError E_GRADIENT for a target that is no scalar where nothing says what its elements weigh */
export function seedOf(
  { name, id }: Target,
  { dims, dtype }: ValueType,
  into: Builder,
  seed: GradientOptions['seed'],
): GraphSymbol {
  if (seed === 'feed')
    return into.add((own) => ({ id: own, name: `${name}.cotangent`, op: 'input', inputs: [], dims, dtype: dtype ?? 'float32' }));
  if (seed === undefined && dims?.every((dim) => dim === 1) !== true)
    throw fault('E_GRADIENT', {
      place: excerpt(name),
      rule: 'a target that is no scalar needs a seed: what each of its elements weighs',
      actual: dims === undefined ? 'unknown rank' : `shape ${formatShape(dims)}`,
      hint: "sum it, or give seed: 'ones', or 'feed' for an input of weights",
    });
  return filledLike(into.symbolAt(id), 1);
}

/** 0 or 1 in the shape of a value; a constant where the shape is known, so that the value itself need not be. */
export function filledLike(symbol: GraphSymbol, value: 0 | 1): GraphSymbol {
  const { dims, dtype } = symbol;
  const into = symbol[INTERPRETER] as Builder;
  if (dims !== undefined && dtype !== undefined && isStatic(dims)) return into.symbolOf(full(dims, value, { dtype }), dtype);
  return (value === 0 ? zerosLike : onesLike)(symbol);
}
