/**
 * @file Maps of operands that lie along another axis than what is written: squares of elements turned in registers, in blocks of
 * which each line of memory is used whole while it is near. A copy that changes which axis lies together is the plainest.
 */
import type { Code } from './bytes.js';
import { loadSpan, storeSpan, type Span } from './elements.js';
import { i32, select, v128 } from './instructions.js';
import { fromRaw, LANES } from './lanes.js';
import type { Local } from './module.js';
import { tensorOf, type NestPlan, type Pieces } from './plan.js';
import { renderScalars, type Leaves } from './scalar.js';
import { stillIn, type Still } from './still.js';
import { turnSquare } from './turn-square.js';
import { unrolled } from './unroll.js';
import { advance, overAxes, pitch, restoring, sideBySide, whileAtLeast, type Walk } from './walk.js';

/**
 * Elements along the read axis that a block takes. Where rows are a power of two apart, the lines that are written all fall into
 * one set of the cache, which holds 8: with 32 of them a copy of 1024 × 1024 takes four times as long.
 */
const BLOCK = 8;

/** Blocks of the read axis outside, all other axes, then a vector of the written axis at a time. */
export function renderTurned(plan: NestPlan, pieces: Pieces): Code {
  const { walk } = pieces;
  const { read, write } = plan.turned!;
  const others = plan.written.filter((axis) => axis !== read && axis !== write);
  const [todo, width, rows] = [walk.scope.local('i32'), walk.scope.local('i32'), walk.scope.local('i32')];
  const side = LANES[plan.kind];
  const still = stillIn(plan, pieces, [read, write]);
  const strips = (end?: Local): Code => [strip({ plan, pieces, still, end }, width.get), advance(walk, write, side)];
  return [
    todo.set(walk.extent(read)),
    whileAtLeast(todo, 1, BLOCK, [
      width.set(select(todo.get, i32.const(BLOCK), i32.lt_s(todo.get, i32.const(BLOCK)))),
      overAxes(walk, others, () => [
        still.code,
        rows.set(walk.extent(write)),
        restoring(walk, write, [whileAtLeast(rows, side, side, strips()), whileAtLeast(rows, 1, side, strips(rows))]),
      ]),
      advance(walk, read, BLOCK),
    ]),
  ];
}

interface Job {
  readonly plan: NestPlan;
  readonly pieces: Pieces;
  readonly still: Still;
  /** How many elements of a vector along the written axis there are; all of them without it. */
  readonly end: Local | undefined;
}

/** A vector of the written axis by `width` elements of the read one. */
function strip(job: Job, width: Code): Code {
  const { walk } = job.pieces;
  const { read } = job.plan.turned!;
  const left = walk.scope.local('i32');
  const side = LANES[job.plan.kind];
  const one = column(job);
  const step = (by: number, body: Code): Code => whileAtLeast(left, by, by, [body, advance(walk, read, by)]);
  return [left.set(width), restoring(walk, read, [step(side, tile(job, side, unrolled(one, side))), step(1, one)])];
}

/** Results along the written axis where each walk stands; operands that were turned are vectors already. */
function written(
  { plan, pieces: { place, fresh }, still, end }: Job,
  walks: readonly Walk[],
  turned: (tensor: number, at: number) => Local | undefined,
): Code {
  const span: Span = { kind: plan.kind, axis: plan.turned!.write, from: 0, left: end };
  const leavesAt = (walk: Walk, at: number): Leaves => ({
    operand: (index) => {
      const tensor = tensorOf(plan, index);
      return (still.locals.get(index) ?? turned(tensor, at))?.get ?? loadSpan(walk, tensor, span);
    },
    fold: () => i32.const(0),
    position: () => i32.const(0),
  });
  fresh();
  const { code, values } = renderScalars(plan.result, walks.map(leavesAt), place, still.known);
  return [code, values.map((lanes, at) => storeSpan(walks[at], span, lanes))];
}

/** One element of the read axis. */
const column = (job: Job): Code => written(job, [job.pieces.walk], () => undefined);

/** `side` elements of the read axis, `together` of them at a time. */
function tile(job: Job, side: number, together: number): Code {
  const { plan, pieces } = job;
  const { walk } = pieces;
  const { read } = plan.turned!;
  const turned = new Map<number, readonly Local[]>();
  const code: Code[] = [];
  for (let tensor = 0; tensor < plan.inputs; tensor++) {
    if (!plan.isTurned[tensor]) continue;
    const columns = Array.from({ length: side }, () => walk.scope.local('v128'));
    turned.set(tensor, columns);
    code.push(turn(job, tensor, columns));
  }
  const { code: beside, walks } = sideBySide(walk, side, (k) => pitch(walk, k, read));
  const results: Code[] = [];
  for (let at = 0; at < side; at += together)
    results.push(written(job, walks.slice(at, at + together), (tensor, k) => turned.get(tensor)?.[at + k]));
  return [code, beside, results];
}

/** Reads vectors along the read axis; gives as many along the written one. */
function turn({ plan, pieces: { walk }, end }: Job, tensor: number, columns: readonly Local[]): Code {
  const { write } = plan.turned!;
  // A row that does not exist may lie anywhere: the first stands for it.
  const row = (k: number): Code => (end === undefined ? i32.const(k) : select(i32.const(k), i32.const(0), i32.gt_s(end.get, i32.const(k)))); // prettier-ignore
  const pointer = walk.pointers[tensor].get;
  const address = (k: number): Code => (k === 0 ? pointer : i32.add(pointer, i32.mul(walk.stride(tensor, write), row(k))));
  const rows = columns.map((_, k) => v128.load(address(k)));
  return turnSquare(rows, walk.scope, (k, raw) => columns[k].set(fromRaw(plan.kind, walk.dtypes[tensor], raw)));
}
