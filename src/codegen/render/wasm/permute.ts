/**
 * @file Copies that change which axis lies together: 4 × 4 elements turned in registers, in blocks of which each line of
 * memory is used whole while it is near.
 */
import type { NestIR } from '../../ir.js';
import type { Code } from './bytes.js';
import { i32, select, shuffle, v128 } from './instructions.js';
import { LOG_BYTES } from './lanes.js';
import type { Pieces, NestPlan } from './plan.js';
import { advance, overAxes, restoring, whileAtLeast, type Walk } from './walk.js';

const SIDE = 4;
/** Elements along the input's unit axis that a block takes: two lines of memory. */
const BLOCK = 32;
const INPUT = 0;
const OUTPUT = 1;

export interface TurnedAxes {
  /** Along which the input's elements lie together. */
  readonly read: number;
  /** Along which the output's do. */
  readonly write: number;
}

/** The two axes of a copy of 4-byte elements that turns them; undefined for every other nest. */
export function turnedAxes(ir: NestIR): TurnedAxes | undefined {
  const [input] = ir.inputs;
  const isCopy = ir.folds.length === 0 && ir.inputs.length === 1 && ir.result.kind === 'operand' && ir.result.index === 0;
  if (!isCopy || input.dtype !== ir.output.dtype || LOG_BYTES[input.dtype] !== 2) return undefined;
  const along = (strides: readonly number[]): number =>
    strides.findIndex((stride, axis) => stride === 1 && ir.extents[axis] >= SIDE);
  const [read, write] = [along(input.strides), along(ir.output.strides)];
  const isTurned = read >= 0 && write >= 0 && input.strides[write] !== 1 && ir.output.strides[read] !== 1;
  return isTurned ? { read, write } : undefined;
}

/** Blocks of the read axis outside, all other axes, then 4 elements of the written axis at a time. */
export function renderPermute(plan: NestPlan, { walk }: Pieces): Code {
  const { read, write } = plan.turned!;
  const others = plan.written.filter((axis) => axis !== read && axis !== write);
  const [todo, width, rows] = [walk.scope.local('i32'), walk.scope.local('i32'), walk.scope.local('i32')];
  const some = (count: number): Code => [strip(walk, { read, write }, width.get, count), advance(walk, write, count)];
  const block = (): Code => [
    rows.set(walk.extent(write)),
    restoring(walk, write, [whileAtLeast(rows, SIDE, SIDE, some(SIDE)), whileAtLeast(rows, 1, 1, some(1))]),
  ];
  return [
    todo.set(walk.extent(read)),
    whileAtLeast(todo, 1, BLOCK, [
      width.set(select(todo.get, i32.const(BLOCK), i32.lt_s(todo.get, i32.const(BLOCK)))),
      overAxes(walk, others, block),
      advance(walk, read, BLOCK),
    ]),
  ];
}

/** `count` elements of the written axis by `width` of the read one. */
function strip(walk: Walk, axes: TurnedAxes, width: Code, count: number): Code {
  const left = walk.scope.local('i32');
  const turn = count === SIDE ? [tile(walk, axes), column(walk, axes)] : [row(walk, axes), one(walk)];
  const step = (by: number, body: Code): Code => whileAtLeast(left, by, by, [body, advance(walk, axes.read, by)]);
  return [left.set(width), restoring(walk, axes.read, [step(SIDE, turn[0]), step(1, turn[1])])];
}

/** The address `k` elements along an axis on which the tensor does not lie together. */
const stepped = (walk: Walk, tensor: number, axis: number, k: number): Code => {
  const pointer = walk.pointers[tensor].get;
  return k === 0 ? pointer : i32.add(pointer, i32.mul(walk.stride(tensor, axis), i32.const(k)));
};

const SIDES = [0, 1, 2, 3];
/** Lanes of four bytes as indices of bytes. */
const lanes = (...chosen: readonly number[]): readonly number[] => chosen.flatMap((lane) => SIDES.map((byte) => 4 * lane + byte));

function tile(walk: Walk, { read, write }: TurnedAxes): Code {
  const local = () => walk.scope.local('v128');
  const r = SIDES.map(local);
  const [low01, high01, low23, high23] = SIDES.map(local);
  const store = (k: number, value: Code): Code => v128.store(stepped(walk, OUTPUT, read, k), value);
  return [
    r.map((each, k) => each.set(v128.load(stepped(walk, INPUT, write, k)))),
    low01.set(shuffle(r[0].get, r[1].get, lanes(0, 4, 1, 5))),
    high01.set(shuffle(r[0].get, r[1].get, lanes(2, 6, 3, 7))),
    low23.set(shuffle(r[2].get, r[3].get, lanes(0, 4, 1, 5))),
    high23.set(shuffle(r[2].get, r[3].get, lanes(2, 6, 3, 7))),
    store(0, shuffle(low01.get, low23.get, lanes(0, 1, 4, 5))),
    store(1, shuffle(low01.get, low23.get, lanes(2, 3, 6, 7))),
    store(2, shuffle(high01.get, high23.get, lanes(0, 1, 4, 5))),
    store(3, shuffle(high01.get, high23.get, lanes(2, 3, 6, 7))),
  ];
}

/** Four elements that lie apart to four that lie together. */
const column = (walk: Walk, { write }: TurnedAxes): Code =>
  v128.store(
    walk.pointers[OUTPUT].get,
    SIDES.reduce<Code>(
      (vector, k) =>
        k === 0 ? v128.load32_zero(walk.pointers[INPUT].get) : v128.loadLane(2, stepped(walk, INPUT, write, k), vector, k),
      [],
    ),
  );

/** Four elements that lie together to four that lie apart. */
function row(walk: Walk, { read }: TurnedAxes): Code {
  const given = walk.scope.local('v128');
  return [
    given.set(v128.load(walk.pointers[INPUT].get)),
    SIDES.map((k) => v128.storeLane(2, stepped(walk, OUTPUT, read, k), given.get, k)),
  ];
}

const one = (walk: Walk): Code => i32.store(walk.pointers[OUTPUT].get, i32.load(walk.pointers[INPUT].get));
