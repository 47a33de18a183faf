/**
 * @file Further results of a group: as far behind one another as a word of the descriptor says.
 */
import type { NestIR } from '../../ir.js';
import type { Instruction } from '../../linear.js';
import type { Code } from './bytes.js';
import { i32 } from './instructions.js';
import { LOG_BYTES } from './lanes.js';
import type { NestPlan } from './plan.js';
import type { Walk } from './walk.js';

/** The word that `walk.apart` reads, in bytes; none where there is one result. */
export const furtherWords = ({ further, output }: NestIR): readonly number[] =>
  further === undefined ? [] : [further.apart * 2 ** LOG_BYTES[output.dtype]];

/** Code for every result of a group, given a walk whose output pointer stands where it is written. */
export function eachResult(plan: NestPlan, walk: Walk, write: (list: readonly Instruction[], at: Walk) => Code): Code {
  if (plan.further.length === 0) return write(plan.result, walk);
  const pointer = walk.scope.local('i32');
  const moved = { ...walk, pointers: [...walk.pointers.slice(0, -1), pointer] };
  return [
    write(plan.result, walk),
    pointer.set(walk.pointers.at(-1)!.get),
    plan.further.map((list) => [pointer.set(i32.add(pointer.get, walk.apart)), write(list, moved)]),
  ];
}
