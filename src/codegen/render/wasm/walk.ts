/**
 * @file Pointers into a kernel's tensors, and the loops that move them: sizes and strides come from the descriptor.
 */
import type { ComputedDType } from '../../../tensor/dtype.js';
import type { Code } from './bytes.js';
import { block, br, brIf, i32, loop } from './instructions.js';
import { LOG_BYTES } from './lanes.js';
import type { Local, Scope } from './module.js';

/** How an address moves along an axis: not at all, to the next element, or by a stride of the descriptor. */
export type Move = 'still' | 'unit' | 'step';

/** All that code depends on: no size, no stride beyond 0 and 1. */
export interface Structure {
  readonly dtypes: readonly ComputedDType[];
  /** For each tensor (the output last) and axis. */
  readonly moves: readonly (readonly Move[])[];
  readonly rank: number;
}

export interface Walk extends Structure {
  readonly scope: Scope;
  readonly pointers: readonly Local[];
  readonly extent: (axis: number) => Code;
  /** In bytes. */
  readonly stride: (tensor: number, axis: number) => Code;
  /** Address of the working memory. */
  readonly scratch: Code;
  /** Number of elements folded into one. */
  readonly count: Code;
  /** The word behind it. */
  readonly apart: Code;
}

/** Opens the descriptor, which is the function's first parameter: the pointers, and code that sets them. */
export function openWalk(structure: Structure, scope: Scope): { readonly walk: Walk; readonly code: Code } {
  const { dtypes, rank } = structure;
  const word = (index: number): Code => i32.load(scope.param(0).get, { offset: 4 * index, align: 2 });
  const pointers = dtypes.map(() => scope.local('i32'));
  const first = dtypes.length + 1;
  const walk: Walk = {
    ...structure,
    scope,
    pointers,
    extent: (axis) => word(first + axis),
    stride: (tensor, axis) => word(first + rank * (1 + tensor) + axis),
    scratch: word(dtypes.length),
    count: word(first + rank * (1 + dtypes.length)),
    apart: word(first + rank * (1 + dtypes.length) + 1),
  };
  return { walk, code: pointers.map((pointer, k) => pointer.set(word(k))) };
}

/** The words behind the addresses, in the order that `openWalk` reads them. */
export const walkWords = (
  extents: readonly number[],
  strides: readonly (readonly number[])[],
  dtypes: readonly ComputedDType[],
  count: number,
): readonly number[] => [
  ...extents,
  ...strides.flatMap((each, k) => each.map((stride) => stride * 2 ** LOG_BYTES[dtypes[k]])),
  count,
];

const moving = ({ moves, pointers }: Walk, axis: number): readonly number[] =>
  pointers.flatMap((_, k) => (moves[k][axis] === 'still' ? [] : [k]));

/** `body` with the pointers where they were before it, once it is done. */
export function restoring(walk: Walk, axis: number, body: Code): Code {
  const kept = moving(walk, axis).map((k) => ({ pointer: walk.pointers[k], start: walk.scope.local('i32') }));
  return [
    kept.map(({ pointer, start }) => start.set(pointer.get)),
    body,
    kept.map(({ pointer, start }) => pointer.set(start.get)),
  ];
}

/** A loop that runs while `left` is at least `least`, and takes `step` off it each time. */
export const whileAtLeast = (left: Local, least: number, step: number, body: Code): Code =>
  block(loop(brIf(1, i32.lt_s(left.get, i32.const(least))), body, left.set(i32.sub(left.get, i32.const(step))), br(0)));

/** Pointers `elements` further along an axis. */
export function advance(walk: Walk, axis: number, elements: number): Code {
  return moving(walk, axis).map((k) => {
    const pointer = walk.pointers[k];
    const bytes = elements << LOG_BYTES[walk.dtypes[k]];
    const by =
      walk.moves[k][axis] === 'unit'
        ? i32.const(bytes)
        : elements === 1
          ? walk.stride(k, axis)
          : i32.mul(walk.stride(k, axis), i32.const(elements));
    return pointer.set(i32.add(pointer.get, by));
  });
}

/** Nested loops over `axes`, element by element. `body` may read how many indices of the last axis are left. */
export function overAxes(walk: Walk, [axis, ...rest]: readonly number[], body: (left?: Local) => Code, outer?: Local): Code {
  if (axis === undefined) return body(outer);
  const left = walk.scope.local('i32');
  return [
    left.set(walk.extent(axis)),
    restoring(
      walk,
      axis,
      block(
        loop(
          brIf(1, i32.eqz(left.get)),
          overAxes(walk, rest, body, left),
          advance(walk, axis, 1),
          left.set(i32.sub(left.get, i32.const(1))),
          br(0),
        ),
      ),
    ),
  ];
}

/** What a loop over one axis does with its elements. */
export interface Steps {
  /** Takes some of the `left` elements beforehand. */
  readonly before: Code;
  /** Takes `step` elements while there are as many; no such loop without it. */
  readonly whole: Code | undefined;
  readonly step: number;
  /** Takes `lanes` elements or those that are left, whichever is less. */
  readonly rest: Code;
  readonly lanes: number;
}

/** A loop over one axis, several elements a step. */
export function inSteps(walk: Walk, axis: number, { before, whole, step, rest, lanes }: Steps, left: Local): Code {
  const take = (elements: number, least: number, body: Code): Code =>
    whileAtLeast(left, least, elements, [body, advance(walk, axis, elements)]);
  return [
    left.set(walk.extent(axis)),
    restoring(walk, axis, [before, whole === undefined ? [] : take(step, step, whole), take(lanes, 1, rest)]),
  ];
}

/** Bytes from one element of a tensor to the next along an axis; undefined where it stands still. */
export function pitch({ moves, dtypes, stride }: Walk, tensor: number, axis: number): Code | undefined {
  const move = moves[tensor][axis];
  if (move === 'still') return undefined;
  return move === 'unit' ? i32.const(1 << LOG_BYTES[dtypes[tensor]]) : stride(tensor, axis);
}

/** `count` walks at equal distances, the first of them where `walk` stands; undefined for a tensor that stays where it is. */
export function sideBySide(
  walk: Walk,
  count: number,
  distance: (tensor: number) => Code | undefined,
): { readonly code: Code; readonly walks: readonly Walk[] } {
  const code: Code[] = [];
  const walks: Walk[] = [];
  for (let at = 0; at < count; at++) {
    const before = walks.at(-1) ?? walk;
    const pointers = walk.pointers.map((_, k) => {
      const local = walk.scope.local('i32');
      const [from, by] = [before.pointers[k].get, at === 0 ? undefined : distance(k)];
      code.push(local.set(by === undefined ? from : i32.add(from, by)));
      return local;
    });
    walks.push({ ...walk, pointers });
  }
  return { code, walks };
}

/**
 * A loop over one axis in `count` places at once, as memory answers several streams sooner than one: equal stretches of
 * whole steps, taken off what is `left`. `body` computes one step of `step` elements in each place.
 */
export function inStretches(
  walk: Walk,
  axis: number,
  count: number,
  step: number,
  left: Local,
  body: (walks: readonly Walk[]) => Code,
): Code {
  const [length, todo] = [walk.scope.local('i32'), walk.scope.local('i32')];
  const { code, walks } = sideBySide(walk, count, (k) => {
    const bytes = pitch(walk, k, axis);
    return bytes === undefined ? undefined : i32.mul(length.get, bytes);
  });
  const last = walks.at(-1)!;
  return [
    length.set(i32.mul(i32.div_u(left.get, i32.const(count * step)), i32.const(step))),
    todo.set(length.get),
    code,
    whileAtLeast(todo, step, step, [body(walks), walks.map((each) => advance(each, axis, step))]),
    moving(walk, axis).map((k) => walk.pointers[k].set(last.pointers[k].get)),
    left.set(i32.sub(left.get, i32.mul(length.get, i32.const(count)))),
  ];
}
