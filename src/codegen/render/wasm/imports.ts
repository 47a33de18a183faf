/**
 * @file The functions of JavaScript that kernels import from "env": float64 in, float64 out.
 *
 * A name is `unary.sin`, `binary.atan2` or `integer.pow`: engine-made from the name of a scalar function.
 */
import { fault } from '../../../errors/index.js';
import { INTEGER_FUNCTIONS, SCALAR_FUNCTIONS } from '../../../ops/math.js';
import type { BinaryFunction, UnaryFunction } from '../../../ops/scalar.js';
import type { ImportedFunction } from './module.js';

export type Family = 'unary' | 'binary' | 'integer';

/** How a module declares a scalar function that it calls. */
export const importOf = (family: Family, fn: UnaryFunction | BinaryFunction): ImportedFunction => ({
  name: `${family}.${fn}`,
  params: family === 'unary' ? ['f64'] : ['f64', 'f64'],
  results: ['f64'],
});

/**
 * The function that a module's import names.
 *
 * @throws EinstreamError E_CODEGEN when no scalar function has that name
 */
export function importedFunction(name: string): (x: number, y: number) => number {
  const [family, fn] = name.split('.');
  const functions: Record<Family, object> = {
    unary: SCALAR_FUNCTIONS.unary,
    binary: SCALAR_FUNCTIONS.binary,
    integer: INTEGER_FUNCTIONS.binary,
  };
  const found: unknown = Object.hasOwn(functions, family) ? Reflect.get(functions[family as Family], fn) : undefined;
  if (typeof found !== 'function')
    throw fault('E_CODEGEN', { place: 'kernel', rule: 'an import must be a scalar function', actual: name });
  return found as (x: number, y: number) => number;
}
