/**
 * @file Folds of rows, four rows at a time: memory answers four streams sooner than one.
 */
import type { Code } from './bytes.js';
import { existing, openFold, type OpenFold } from './along-fold.js';
import { loadSpan, type Span } from './elements.js';
import { countOperand } from './expressions.js';
import { masked } from './fold.js';
import { i32 } from './instructions.js';
import { LANES, splatInt } from './lanes.js';
import type { Local } from './module.js';
import type { NestPlan, Pieces } from './plan.js';
import { renderScalars, type Leaves } from './scalar.js';
import { advance, overAxes, restoring, sideBySide, whileAtLeast, type Walk } from './walk.js';

const ROWS = 4;
/** Vectors of a row in a step. */
const EACH = 2;

/**
 * The loops of a nest with one fold over one axis. `single` computes the row where the walk stands; `store` writes the
 * result of a row from what was folded.
 */
export function renderRows(plan: NestPlan, pieces: Pieces, single: Code, store: (row: Walk, folded: Local) => Code): Code {
  const { walk } = pieces;
  const axis = plan.written.at(-1)!;
  const rows = walk.scope.local('i32');
  return overAxes(walk, plan.written.slice(0, -1), () => [
    rows.set(walk.extent(axis)),
    restoring(walk, axis, [
      whileAtLeast(rows, ROWS, ROWS, [fourRows(plan, pieces, axis, store), advance(walk, axis, ROWS)]),
      whileAtLeast(rows, 1, 1, [single, advance(walk, axis, 1)]),
    ]),
  ]);
}

function fourRows(plan: NestPlan, pieces: Pieces, axis: number, store: (row: Walk, folded: Local) => Code): Code {
  const { walk } = pieces;
  const distance = (k: number): Code | undefined => (walk.moves[k][axis] === 'still' ? undefined : walk.stride(k, axis));
  const starts = sideBySide(walk, ROWS, distance);
  const moving = sideBySide(walk, ROWS, distance);
  const folds = starts.walks.map(() => openFold(plan.folds[0], walk.scope, 1));
  const left = walk.scope.local('i32');
  const lanes = LANES[plan.kind];
  const step = (least: number, elements: number, body: Code): Code =>
    whileAtLeast(left, least, elements, [body, moving.walks.map((row) => advance(row, plan.axis, elements))]);
  return [
    starts.code,
    moving.code,
    folds.map(({ open }) => open),
    left.set(walk.extent(plan.axis)),
    step(EACH * lanes, EACH * lanes, addRows(plan, pieces, moving.walks, folds, EACH, undefined)),
    step(1, lanes, addRows(plan, pieces, moving.walks, folds, 1, left)),
    folds.map(({ close, value }, row) => [close, store(starts.walks[row], value)]),
  ];
}

/** `each` vectors of every row, of which only the `left` elements exist when it is there. */
function addRows(
  plan: NestPlan,
  { walk, place, fresh }: Pieces,
  rows: readonly Walk[],
  folds: readonly OpenFold[],
  each: number,
  left: Local | undefined,
): Code {
  const [folding] = plan.folds;
  const vectors = rows.flatMap((row, at) =>
    Array.from({ length: each }, (_, k) => {
      const span: Span = { kind: plan.kind, axis: plan.axis, from: k * LANES[plan.kind], left };
      const leaves: Leaves = {
        operand: (index) => (index === countOperand(plan.inputs) ? splatInt(plan.kind, walk.count) : loadSpan(row, index, span)),
        fold: () => i32.const(0),
        position: () => i32.const(0),
      };
      return { leaves, fold: folds[at] };
    }),
  );
  fresh();
  const { code, values } = renderScalars(plan.values[0], vectors.map(({ leaves }) => leaves), place); // prettier-ignore
  return [
    code,
    values.map(({ value }, at) => {
      const given = place.scope.local('v128');
      const exists = left === undefined ? undefined : existing(plan.kind, left, walk.scope);
      const kept = given.set(exists === undefined ? value() : masked(folding, value(), exists, walk.scope));
      return [kept, vectors[at].fold.take(given, 0, place.scope)];
    }),
  ];
}
