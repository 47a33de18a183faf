/**
 * @file Nests whose vectors lie along a folded axis: lanes of one fold, combined at its end.
 */
import { renderFold } from './along-fold.js';
import { renderLoop, type AlongLoop, type Then } from './along-loop.js';
import type { Code } from './bytes.js';
import { loadStill, storeOne, storeSpan } from './elements.js';
import { countOperand } from './expressions.js';
import { accumulatorKind, foldedAs } from './fold.js';
import { f32x4, i32x4, shuffle } from './instructions.js';
import { constantOf, FIRST_OF_FOUR, splatInt, type LaneKind } from './lanes.js';
import type { Local } from './module.js';
import { nextRow } from './next-row.js';
import type { NestPlan, Pieces } from './plan.js';
import { renderScalar } from './scalar.js';
import { renderRows } from './rows.js';
import { overAxes, type Walk } from './walk.js';

/** A lone fold waits for memory, which answers several streams sooner than one. */
const STREAMS = 4;

/** The loops of the nest around `plan.axis`, which is one of the folded axes. */
export function renderAlong(plan: NestPlan, pieces: Pieces): Code {
  const { walk } = pieces;
  // For each fold: its value in all lanes, as its accumulators have it, and as loops read it.
  const folded: Local[] = [];
  const near: Local[] = [];
  const loop = (given: AlongLoop, within = pieces): Code => renderLoop(plan, within, (index) => near[index].get, given);
  const decaying: Pieces = { ...pieces, place: { ...pieces.place, decays: true } };
  const store: Then = (values, spans) => values.map((lanes, u) => storeSpan(walk, spans[u], lanes));
  const isRows = areRows(plan);
  const ahead = plan.isLong || isRows ? undefined : nextRow(plan, pieces);
  const storeRow = (row: Walk, locals: readonly Local[]): Code =>
    storeGroup(plan, { ...pieces, walk: row }, (index) => foldIn(plan, plan.resultKind, index, locals[index]));
  const row = (rows?: Local): Code => [
    ahead?.set(rows) ?? [],
    plan.folds.map((_, at) => {
      const isLast = at === plan.folds.length - 1;
      const isKept = plan.keepsLast && isLast;
      const { code, value } = renderFold(plan, pieces, at, (most, then) =>
        loop(
          {
            list: plan.values[at],
            most,
            then: (values, spans) => [then(values, spans), isKept ? store(values, spans) : []],
            beside: isLast ? ahead?.touch : undefined,
            streams: plan.isLong && plan.folds.length === 1 && plan.emits === 'group' ? STREAMS : 1,
          },
          isLast && plan.decays ? decaying : pieces,
        ),
      );
      folded.push(value);
      near.push(walk.scope.local('v128'));
      const isRead = !isLast || plan.emits === 'element';
      return [code, finish(plan, pieces, at, folded), isRead ? near[at].set(foldIn(plan, plan.kind, at, value)) : []];
    }),
    plan.emits === 'element' ? loop({ list: plan.result, most: 8, then: store, streams: 1 }) : storeRow(walk, folded),
  ];
  if (!isRows) return overAxes(walk, plan.written, row);
  return renderRows(plan, pieces, row(), (at, value) => storeRow(at, [value]));
}

/** What becomes of a fold, in the lanes that accumulated. */
function finish(plan: NestPlan, { walk, place, fresh }: Pieces, at: number, folded: readonly Local[]): Code {
  const list = plan.finishes[at];
  if (list === undefined) return [];
  fresh();
  const kind = accumulatorKind(plan.folds[at]);
  const computed = renderScalar(
    list,
    {
      operand: () => splatInt(kind, walk.count),
      fold: (index) => foldIn(plan, kind, index, folded[index]),
      position: () => constantOf(kind, 0, walk.scope),
    },
    { ...place, kind },
  );
  return [computed.code, folded[at].set(computed.value())];
}

/** One fold of rows that lie along one axis: several of them are folded at once. */
const areRows = ({ folds, emits, isLong, inner, hasPosition }: NestPlan): boolean =>
  folds.length === 1 && emits === 'group' && !isLong && inner.length === 1 && !hasPosition;

/** A fold's value in lanes of `kind`, from the local that holds it as its accumulators have it. */
function foldIn(plan: NestPlan, kind: LaneKind, index: number, local: Local): Code {
  const from = accumulatorKind(plan.folds[index]);
  if (from === kind) return local.get;
  if (kind === 'f64') return foldedAs(plan.folds[index], 'f64', [local], 0);
  return shuffle(f32x4.demote_f64x2_zero(local.get), i32x4.const(0), FIRST_OF_FOUR);
}

/** The result of a whole fold: one element, computed in all lanes. */
function storeGroup(plan: NestPlan, { walk, place, fresh }: Pieces, fold: (index: number) => Code): Code {
  fresh();
  const kind = plan.resultKind;
  const computed = renderScalar(
    plan.result,
    {
      operand: (index) => (index === countOperand(plan.inputs) ? splatInt(kind, walk.count) : loadStill(walk, index, kind)),
      fold,
      position: () => constantOf(kind, 0, walk.scope),
    },
    { ...place, kind },
  );
  return [computed.code, storeOne(walk, kind, computed)];
}
