/**
 * @file The row behind, read while this one is computed with.
 */
import type { Code } from './bytes.js';
import { i32, select, v128 } from './instructions.js';
import type { Local } from './module.js';
import type { NestPlan, Pieces } from './plan.js';

const LINE = 64;
const DROP = 0x1a;

/**
 * Reads the row behind while a fold computes with this one, so that its memory is near when its turn comes: the first
 * fold of a row waits for memory, the later ones do not.
 */
export function nextRow(plan: NestPlan, { walk }: Pieces) {
  const axis = plan.written.at(-1);
  const input =
    axis === undefined
      ? -1
      : walk.moves.findIndex((moves, k) => k < plan.inputs && moves[plan.axis] === 'unit' && moves[axis] === 'step');
  if (axis === undefined || input < 0) return { set: () => [], touch: () => [] };
  const distance = walk.scope.local('i32');
  const pointer = walk.pointers[input];
  return {
    set: (rows: Local | undefined): Code =>
      rows === undefined ? [] : distance.set(select(walk.stride(input, axis), i32.const(0), i32.gt_s(rows.get, i32.const(1)))),
    touch: (bytes: number): Code =>
      Array.from({ length: bytes / LINE }, (_, k) => [
        v128.load32_zero(i32.add(pointer.get, distance.get), { offset: k * LINE }),
        DROP,
      ]),
  };
}
