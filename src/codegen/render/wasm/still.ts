/**
 * @file What is the same for all elements of a loop: operands that stand still, and what is computed of them alone.
 */
import type { Instruction } from '../../linear.js';
import type { Code } from './bytes.js';
import { loadStill } from './elements.js';
import { countOperand } from './expressions.js';
import { i32 } from './instructions.js';
import { hoist } from './invariant.js';
import { splatInt } from './lanes.js';
import type { Local } from './module.js';
import { tensorOf, type NestPlan, type Pieces } from './plan.js';
import type { Known } from './scalar.js';

/** Operands by index, and instructions of the result. */
export interface Still {
  readonly code: Code;
  readonly locals: ReadonlyMap<number, Local>;
  readonly known: Known;
}

/** What a map computes in front of its loops over `axes`. */
export function stillIn(plan: NestPlan, pieces: Pieces, axes: readonly number[]): Still {
  const { walk, place, fresh } = pieces;
  const { code, locals } = stillOperands(plan, pieces, plan.result, axes);
  fresh();
  const leaves = { operand: (index: number) => locals.get(index)!.get, fold: () => i32.const(0), position: () => i32.const(0) };
  const hoisted = hoist(plan.result, (index) => locals.has(index), leaves, place, walk.scope);
  return { code: [code, hoisted.code], locals, known: hoisted.known };
}

/** Operands that stand still along `axes`, read once for all of them. */
export function stillOperands(
  plan: NestPlan,
  { walk }: Pieces,
  list: readonly Instruction[],
  axes: readonly number[],
  kind = plan.kind,
): Pick<Still, 'code' | 'locals'> {
  const locals = new Map<number, Local>();
  const code: Code[] = [];
  for (const i of list) {
    if (i.kind !== 'operand' || locals.has(i.index)) continue;
    const isCount = i.index === countOperand(plan.inputs);
    const tensor = tensorOf(plan, i.index);
    if (!isCount && axes.some((axis) => walk.moves[tensor][axis] !== 'still')) continue;
    const local = walk.scope.local('v128');
    locals.set(i.index, local);
    code.push(local.set(isCount ? splatInt(kind, walk.count) : loadStill(walk, tensor, kind)));
  }
  return { code, locals };
}
