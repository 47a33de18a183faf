/**
 * @file Folds over rows that lie one behind another: sums of a whole stretch of columns wait in working memory, so that
 * rows are read as they lie, several at a time.
 */
import type { Code } from './bytes.js';
import { loadSpan, storeSpan, type Span } from './elements.js';
import { countOperand } from './expressions.js';
import { accumulatorKind, accumulators, combine, foldedAs, neutral, parts } from './fold.js';
import { i32, select, v128 } from './instructions.js';
import { LANES, splatInt, type LaneKind } from './lanes.js';
import type { Local } from './module.js';
import type { NestPlan, Pieces } from './plan.js';
import { renderScalars, type Leaves } from './scalar.js';
import { advance, overAxes, restoring, sideBySide, whileAtLeast, type Walk } from './walk.js';

/** Columns whose accumulators stay in the first-level cache. */
const PANEL = 2048;
/** Rows added at a time: one load and store of an accumulator for so many. */
const ROWS = 6;
/** Columns added at a time. */
const WIDTH = 4;

const vectorBytes = (plan: NestPlan): number => 16 * accumulators(plan.folds[0]);

/** Bytes of working memory. */
export const columnScratch = (plan: NestPlan): number => (PANEL / LANES[plan.kind]) * vectorBytes(plan);

/** The loops of a nest with one fold, whose operands lie in rows along the written axis `plan.axis`. */
export function renderColumns(plan: NestPlan, pieces: Pieces): Code {
  const { walk } = pieces;
  const others = plan.written.filter((axis) => axis !== plan.axis);
  const [columns, width] = [walk.scope.local('i32'), walk.scope.local('i32')];
  return overAxes(walk, others, () => [
    columns.set(walk.extent(plan.axis)),
    restoring(
      walk,
      plan.axis,
      whileAtLeast(columns, 1, PANEL, [
        width.set(select(columns.get, i32.const(PANEL), i32.lt_s(columns.get, i32.const(PANEL)))),
        clear(plan, pieces, width),
        overAxes(walk, plan.inner.slice(0, -1), () => rows(plan, pieces, width)),
        finish(plan, pieces, width),
        advance(walk, plan.axis, PANEL),
      ]),
    ),
  ]);
}

/** Runs through the accumulators of `width` columns: `body` finds those of `vectors` vectors at its address. */
function overPanel(
  { walk }: Pieces,
  plan: NestPlan,
  width: Local,
  vectors: number,
  body: (at: Local, left: Local) => Code,
): Code {
  const [at, left] = [walk.scope.local('i32'), walk.scope.local('i32')];
  return [
    at.set(walk.scratch),
    left.set(width.get),
    whileAtLeast(left, 1, vectors * LANES[plan.kind], [
      body(at, left),
      at.set(i32.add(at.get, i32.const(vectors * vectorBytes(plan)))),
    ]),
  ];
}

const indices = (count: number): readonly number[] => Array.from({ length: count }, (_, k) => k);

function clear(plan: NestPlan, pieces: Pieces, width: Local): Code {
  const [folding] = plan.folds;
  const start = neutral(folding, accumulatorKind(folding), pieces.walk.scope);
  return overPanel(pieces, plan, width, 1, (at) =>
    indices(accumulators(folding)).map((k) => v128.store(at.get, start, { offset: 16 * k })),
  );
}

/** Adds all rows along the last folded axis. */
function rows(plan: NestPlan, pieces: Pieces, width: Local): Code {
  const { walk } = pieces;
  const axis = plan.inner.at(-1)!;
  const left = walk.scope.local('i32');
  const some = (count: number): Code => [addRows(plan, pieces, width, axis, count), advance(walk, axis, count)];
  return [
    left.set(walk.extent(axis)),
    restoring(walk, axis, [whileAtLeast(left, ROWS, ROWS, some(ROWS)), whileAtLeast(left, 1, 1, some(1))]),
  ];
}

function addRows(plan: NestPlan, pieces: Pieces, width: Local, axis: number, count: number): Code {
  const { walk, place, fresh } = pieces;
  const [folding] = plan.folds;
  const { code, walks } = sideBySide(walk, count, (k) => (walk.moves[k][axis] === 'still' ? undefined : walk.stride(k, axis)));
  const vectors = WIDTH / LANES[plan.kind];
  const add = (at: Local): Code => {
    fresh();
    const places = indices(vectors).flatMap((v) => {
      const span: Span = { kind: plan.kind, axis: plan.axis, from: v * LANES[plan.kind], left: undefined };
      return walks.map((row) => ({ v, leaves: leavesOf(plan, row, span, plan.kind, () => []) }));
    });
    const computed = renderScalars(plan.values[0], places.map(({ leaves }) => leaves), place); // prettier-ignore
    const own = indices(vectors).map(() => indices(accumulators(folding)).map(() => place.scope.local('v128')));
    const given = place.scope.local('v128');
    const each = own.flat();
    return [
      each.map((local, k) => local.set(v128.load(at.get, { offset: 16 * k }))),
      computed.code,
      computed.values.map(({ value }, k) => [
        given.set(value()),
        parts(folding, given).map((part, half) => {
          const local = own[places[k].v][half];
          return local.set(combine(folding, local.get, part, place.scope));
        }),
      ]),
      each.map((local, k) => v128.store(at.get, local.get, { offset: 16 * k })),
    ];
  };
  return [code, overPanel(pieces, plan, width, vectors, (at) => [add(at), walks.map((row) => advance(row, plan.axis, WIDTH))])];
}

const leavesOf = (plan: NestPlan, walk: Walk, span: Span, kind: LaneKind, fold: Leaves['fold']): Leaves => ({
  operand: (index) => (index === countOperand(plan.inputs) ? splatInt(kind, walk.count) : loadSpan(walk, index, span)),
  fold,
  position: () => [],
});

/** The results of `width` columns. */
function finish(plan: NestPlan, pieces: Pieces, width: Local): Code {
  const { walk, place, fresh } = pieces;
  const [folding] = plan.folds;
  const kind = plan.resultKind;
  const own = indices(accumulators(folding)).map(() => walk.scope.local('v128'));
  const wide = LANES[plan.kind];
  const one = (at: Local, left: Local): Code => {
    fresh();
    const spans = indices(wide / LANES[kind]).map((half): Span => ({ kind, axis: plan.axis, from: half * LANES[kind], left }));
    const { code, values } = renderScalars(
      plan.result,
      spans.map((span, half) => leavesOf(plan, walk, span, kind, () => foldedAs(folding, kind, own, half))),
      { ...place, kind },
    );
    return [
      own.map((local, k) => local.set(v128.load(at.get, { offset: 16 * k }))),
      code,
      values.map((lanes, half) => storeSpan(walk, spans[half], lanes)),
      advance(walk, plan.axis, wide),
    ];
  };
  return restoring(walk, plan.axis, overPanel(pieces, plan, width, 1, one));
}
