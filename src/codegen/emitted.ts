/**
 * @file Source text that the engine itself made: the only text that may become a function.
 *
 * Nothing but engine-made identifiers and numbers from `literal` go into it, so that no name, label or string
 * of a graph can reach a compiler.
 */
import { fault } from '../errors/index.js';

declare const EMITTED: unique symbol;

/** JavaScript made by a renderer of this folder. */
export type Emitted = string & { readonly [EMITTED]: true };

/** For renderers alone: vouches that the text holds engine-made identifiers and literals only. */
export const emitted = (source: string): Emitted => source as Emitted;

/**
 * A number as JavaScript source, exact: shortest decimal that reads back as the same float64.
 *
 * @throws EinstreamError E_CODEGEN for anything that is no number
 */
export function literal(value: number): string {
  if (typeof value !== 'number')
    throw fault('E_CODEGEN', { place: 'kernel', rule: 'only numbers are printed into kernels', actual: typeof value });
  if (Number.isNaN(value)) return 'NaN';
  if (value === Infinity) return 'Infinity';
  if (value === -Infinity) return '(-Infinity)';
  return value < 0 || Object.is(value, -0) ? `(-${-value})` : String(value);
}
