/**
 * @file What happens to a sum before it is written: the nest's result over it and over further operands.
 */
import { linearize, type Instruction } from '../../../linear.js';
import type { NestIR } from '../../../ir.js';
import type { Code } from '../bytes.js';
import { isNative } from '../functions.js';
import { f32x4, v128 } from '../instructions.js';
import { constantOf } from '../lanes.js';
import type { Local, Scope } from '../module.js';
import type { Target } from '../kernel.js';
import { renderScalar } from '../scalar.js';

export interface Epilogue {
  readonly list: readonly Instruction[];
  readonly dtype: NestIR['output']['dtype'];
  readonly target: Target;
}

/** The result of `ir` over a sum of `count` products; undefined where float32 vectors have no code for it. */
export function epilogueOf(ir: NestIR, count: number, target: Target): Epilogue | undefined {
  const list = linearize(ir.result, ir.output.dtype, count);
  const isKnown = list.every((i) => i.kind !== 'position' && isNative('f32', i) && !(i.kind === 'round' && i.dtype === 'int32'));
  return isKnown ? { list, dtype: ir.output.dtype, target } : undefined;
}

/** True where the sum is stored as it is. */
export const isPlain = ({ list, dtype }: Epilogue): boolean =>
  list.length === 1 && list[0].kind === 'fold' && dtype === 'float32';

/** What decides the epilogue's code. */
export const epilogueKey = ({ list, dtype }: Epilogue): string =>
  `${list.map((i) => Object.values(i).map((part) => (Object.is(part, -0) ? '-0' : String(part))).join(' ')).join(';')}>${dtype}`; // prettier-ignore

/** Sets `value`, a vector of sums, to the results; `operand` gives a vector of another input. */
export function applyEpilogue(scope: Scope, epilogue: Epilogue, value: Local, operand: (index: number) => Code): Code {
  if (isPlain(epilogue)) return [];
  const { list, dtype, target } = epilogue;
  const leaves = { operand, fold: () => value.get, position: () => value.get };
  const { code, value: result, mask } = renderScalar(list, leaves, { kind: 'f32', scope, target });
  if (dtype !== 'bool' || mask !== undefined) return [code, value.set(result())];
  return [code, value.set(v128.and(f32x4.ne(result(), constantOf('f32', 0, scope)), constantOf('f32', 1, scope)))];
}
