/**
 * @file What happens to a sum before it is written: the nest's result over it and over further operands.
 */
import { linearize, type Instruction } from '../../../linear.js';
import type { NestIR } from '../../../ir.js';
import type { Code } from '../bytes.js';
import { expressionKey } from '../expressions.js';
import { isNative } from '../functions.js';
import { f32x4, f64x2, i32x4, shuffle, v128 } from '../instructions.js';
import { comparisonsOf, constantOf } from '../lanes.js';
import { isSingleResult } from '../mode.js';
import type { Local, Scope } from '../module.js';
import type { Target } from '../kernel.js';
import { renderScalars, type Leaves } from '../scalar.js';

export interface Epilogue {
  readonly list: readonly Instruction[];
  /** Four sums at once, or two and two in float64 where float32 would lose digits. */
  readonly kind: 'f32' | 'f64';
  readonly dtype: NestIR['output']['dtype'];
  readonly target: Target;
}

/** The result of `ir` over a sum of `count` products; undefined where vectors have no code for it. */
export function epilogueOf(ir: NestIR, count: number, target: Target): Epilogue | undefined {
  const list = linearize(ir.result, ir.output.dtype, count);
  const kind = isSingleResult(list, count) ? 'f32' : 'f64';
  const isKnown = list.every((i) => i.kind !== 'position' && isNative(kind, i) && !(i.kind === 'round' && i.dtype === 'int32'));
  return isKnown ? { list, kind, dtype: ir.output.dtype, target } : undefined;
}

/** True where the sum is stored as it is. */
export const isPlain = ({ list, dtype }: Epilogue): boolean =>
  list.length === 1 && list[0].kind === 'fold' && dtype === 'float32';

/** What decides the epilogue's code. */
export const epilogueKey = ({ list, kind, dtype }: Epilogue): string => `${expressionKey(list)}>${kind} ${dtype}`;

/** Sets `value`, a vector of sums, to the results; `operand` gives a vector of another input. */
export function applyEpilogue(scope: Scope, epilogue: Epilogue, value: Local, operand: (index: number) => Code): Code {
  if (isPlain(epilogue)) return [];
  const { list, kind, dtype, target } = epilogue;
  const leaves = (part: (x: Code) => Code): Leaves => ({
    operand: (index) => part(operand(index)),
    fold: () => part(value.get),
    position: () => value.get,
  });
  const parts = kind === 'f32' ? [leaves((x) => x)] : [leaves(f64x2.promote_low_f32x4), leaves((x) => f64x2.promote_low_f32x4(upper(x)))]; // prettier-ignore
  const { code, values } = renderScalars(list, parts, { kind, scope, target });
  const numbers = values.map(
    ({ value: number, mask }) =>
    dtype !== 'bool' || mask !== undefined ? number() : v128.and(comparisonsOf(kind).ne(number(), constantOf(kind, 0, scope)), constantOf(kind, 1, scope)), // prettier-ignore
  );
  return [code, value.set(kind === 'f32' ? numbers[0] : both(numbers[0], numbers[1]))];
}

const bytes = (...lanes: readonly number[]): readonly number[] =>
  lanes.flatMap((lane) => [0, 1, 2, 3].map((byte) => 4 * lane + byte));

const upper = (x: Code): Code => shuffle(x, i32x4.const(0), bytes(2, 3, 4, 4));

/** Two and two float64 as four float32. */
const both = (low: Code, high: Code): Code =>
  shuffle(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), bytes(0, 1, 4, 5));
