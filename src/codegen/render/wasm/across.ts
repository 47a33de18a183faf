/**
 * @file Nests whose vectors lie along a written axis: maps, and folds of which each lane is one of its own.
 */
import type { Instruction } from '../../linear.js';
import type { Code } from './bytes.js';
import { loadSpan, storeSpan, type Span } from './elements.js';
import { accumulatorKind, accumulators, combine, foldedAs, neutral, parts } from './fold.js';
import { eachResult } from './further.js';
import { i32 } from './instructions.js';
import { LANES, splatInt, type LaneKind, type Lanes } from './lanes.js';
import type { Local } from './module.js';
import { tensorOf, type NestPlan, type Pieces } from './plan.js';
import { renderScalars } from './scalar.js';
import { stillIn, stillOperands, type Still } from './still.js';
import { inSteps, overAxes } from './walk.js';
import { unrolled } from './unroll.js';

/** The loops of the nest around `plan.axis`, which is one of the written axes. */
export function renderAcross(plan: NestPlan, pieces: Pieces): Code {
  const { walk } = pieces;
  const left = walk.scope.local('i32');
  const still = plan.folds.length === 0 ? stillIn(plan, pieces, [plan.axis]) : undefined;
  const lanes = LANES[plan.kind];
  const body = (vectors: number, end?: Local): Code => renderVectors(plan, pieces, vectors, end, still);
  const rest = body(1, left);
  const vectors = unrolled(rest, plan.folds.length === 0 ? 8 : 4);
  const whole = vectors === 1 ? undefined : body(vectors);
  const others = plan.written.filter((axis) => axis !== plan.axis);
  return overAxes(walk, others, () => [
    still?.code ?? [],
    inSteps(walk, plan.axis, { before: [], whole, step: vectors * lanes, rest, lanes }, left),
  ]);
}

type Then = (lanes: Lanes, span: Span, vector: number) => Code;

/** One step of `vectors` vectors: all folds over the inner axes, then what is written. */
function renderVectors(
  plan: NestPlan,
  pieces: Pieces,
  vectors: number,
  left: Local | undefined,
  hoisted: Still | undefined,
): Code {
  const { walk, place, fresh } = pieces;
  const folded: Local[][][] = [];
  const position = walk.scope.local('i32');
  const wide = LANES[plan.kind];
  const each = (list: readonly Instruction[], kind: LaneKind, then: Then, decays = place.decays): Code => {
    const still = hoisted === undefined ? stillOperands(plan, pieces, list, [plan.axis], kind) : { ...hoisted, code: [] };
    const halves = wide / LANES[kind];
    const spans = Array.from({ length: vectors * halves }, (_, at): Span => ({
      kind,
      axis: plan.axis,
      from: at * LANES[kind],
      left,
    }));
    fresh();
    const { code, values } = renderScalars(
      list,
      spans.map((span, at) => ({
        operand: (index) => still.locals.get(index)?.get ?? loadSpan(walk, tensorOf(plan, index), span),
        fold: (index) => foldedAs(plan.folds[index], kind, folded[index][Math.floor(at / halves)], at % halves),
        position: () => splatInt(kind, position.get),
      })),
      { ...place, kind, decays },
      hoisted?.known,
    );
    return [still.code, code, values.map((lanes, at) => then(lanes, spans[at], at))];
  };
  const finish = (at: number, own: readonly (readonly Local[])[]): Code => {
    const list = plan.finishes[at];
    if (list === undefined) return [];
    const kind = accumulatorKind(plan.folds[at]);
    const places = own.flatMap((locals, u) => locals.map((local, half) => ({ local, u, half })));
    fresh();
    const { code, values } = renderScalars(
      list,
      places.map(({ u, half }) => ({
        operand: () => splatInt(kind, walk.count),
        fold: (index) => foldedAs(plan.folds[index], kind, folded[index][u], half),
        position: () => splatInt(kind, i32.const(0)),
      })),
      { ...place, kind },
    );
    return [code, values.map((lanes, k) => places[k].local.set(lanes.value()))];
  };
  const next = position.set(i32.add(position.get, i32.const(1)));
  const folds = plan.folds.map((folding, at): Code => {
    const { scope } = walk;
    const own = Array.from({ length: vectors }, () => Array.from({ length: accumulators(folding) }, () => scope.local('v128')));
    const start = own.flat().map((local) => local.set(neutral(folding, accumulatorKind(folding), scope)));
    const isLast = at === plan.folds.length - 1;
    const fold: Then = (lanes, span, u) => {
      const given = place.scope.local('v128');
      const steps = parts(folding, given).map((part, k) => own[u][k].set(combine(folding, own[u][k].get, part, place.scope)));
      return [given.set(lanes.value()), steps, isLast && plan.keepsLast ? storeSpan(walk, span, lanes) : []];
    };
    const run = overAxes(walk, plan.inner, () => [
      each(plan.values[at], plan.kind, fold, isLast && plan.decays ? true : undefined),
      plan.hasPosition ? next : [],
    ]);
    folded.push(own);
    return [start, position.set(i32.const(0)), run, finish(at, own)];
  });
  const store = (list = plan.result, to = walk): Code => each(list, plan.resultKind, (lanes, span) => storeSpan(to, span, lanes));
  if (plan.emits === 'group') return [folds, eachResult(plan, walk, store)];
  return [folds, position.set(i32.const(0)), overAxes(walk, plan.inner, () => [store(), plan.hasPosition ? next : []])];
}
