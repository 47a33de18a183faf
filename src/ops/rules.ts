/**
 * @file Shape and dtype rules that many ops share.
 */
import { promote } from '../tensor/dtype.js';
import { broadcastDims, type Dims } from './dims.js';
import type { DTypeRule, Place } from './op.js';

/** The result has the shape of the broadcast operands; unknown where one of them is. */
export function broadcastShape(inputs: readonly (Dims | undefined)[], _params: unknown, place: Place): Dims | undefined {
  return inputs.includes(undefined) ? undefined : broadcastDims(inputs as readonly Dims[], place);
}

/** The highest of the operands' dtypes; bool counts as int32 0/1. */
export const arithmetic: DTypeRule = (inputs) => promote(['int32', ...inputs]);

/** The highest of the operands' dtypes, bool included. */
export const highest: DTypeRule = (inputs) => promote(inputs);

/** At least float32: transcendental functions and division of int32 and bool. */
export const floating: DTypeRule = (inputs) => promote(['float32', ...inputs]);

/** Comparisons, logic and is… give bool. */
export const boolean: DTypeRule = () => 'bool';

/** What elementwise ops have in common; the operands broadcast. */
export const floatUnary = { arity: 1, dtype: floating, shape: broadcastShape } as const;
export const arithmeticUnary = { arity: 1, dtype: arithmetic, shape: broadcastShape } as const;
export const booleanUnary = { arity: 1, dtype: boolean, shape: broadcastShape } as const;
export const floatBinary = { arity: 2, dtype: floating, shape: broadcastShape } as const;
export const arithmeticBinary = { arity: 2, dtype: arithmetic, shape: broadcastShape } as const;
export const booleanBinary = { arity: 2, dtype: boolean, shape: broadcastShape } as const;
