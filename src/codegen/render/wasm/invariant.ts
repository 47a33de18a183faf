/**
 * @file What a loop computes anew for each element although it is the same for all: taken out in front of it.
 */
import type { Instruction } from '../../linear.js';
import type { Code } from './bytes.js';
import { renderScalar, type Known, type Leaves, type Place } from './scalar.js';
import type { Local, Scope } from './module.js';

/** Indices of the arguments of an instruction. */
const argumentsOf = (i: Instruction): readonly number[] => {
  switch (i.kind) {
    case 'unary':
    case 'round':
      return [i.x];
    case 'binary':
      return [i.x, i.y];
    case 'select':
      return [i.test, i.x, i.y];
    default:
      return [];
  }
};

/** Instructions that depend on nothing that moves, and are read by some that do; constants are as near as a local. */
function invariants(list: readonly Instruction[], isStill: (operand: number) => boolean): readonly number[] {
  const still: boolean[] = [];
  for (const i of list) {
    const own = i.kind === 'operand' ? isStill(i.index) : i.kind !== 'position';
    still.push(own && argumentsOf(i).every((at) => still[at]));
  }
  const isRead = (at: number): boolean =>
    at === list.length - 1 || list.some((i, reader) => !still[reader] && argumentsOf(i).includes(at));
  return list.flatMap((i, at) => (still[at] && argumentsOf(i).length > 0 && isRead(at) ? [at] : []));
}

/** Code in front of the loop, and what is known within it. */
export function hoist(
  list: readonly Instruction[],
  isStill: (operand: number) => boolean,
  leaves: Leaves,
  place: Place,
  scope: Scope,
): { readonly code: Code; readonly known: Known } {
  const known = new Map<number, Local>();
  const code = invariants(list, isStill).map((at): Code => {
    const local = scope.local('v128');
    known.set(at, local);
    const computed = renderScalar(needed(list, at), leaves, place);
    return [computed.code, local.set(computed.value())];
  });
  return { code, known };
}

/** The instructions that lead to instruction `at`, with their arguments renumbered. */
function needed(list: readonly Instruction[], at: number): readonly Instruction[] {
  const made: Instruction[] = [];
  const places = new Map<number, number>();
  const visit = (index: number): number => {
    const seen = places.get(index);
    if (seen !== undefined) return seen;
    const i = list[index];
    const own: Instruction =
      i.kind === 'unary' || i.kind === 'round'
        ? { ...i, x: visit(i.x) }
        : i.kind === 'binary'
          ? { ...i, x: visit(i.x), y: visit(i.y) }
          : i.kind === 'select'
            ? { ...i, test: visit(i.test), x: visit(i.x), y: visit(i.y) }
            : i;
    places.set(index, made.push(own) - 1);
    return places.get(index)!;
  };
  visit(at);
  return made;
}
