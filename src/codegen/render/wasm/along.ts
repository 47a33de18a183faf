/**
 * @file Nests whose vectors lie along a folded axis: lanes of one fold, combined at its end.
 */
import type { Instruction } from '../../linear.js';
import type { Code } from './bytes.js';
import { loadSpan, loadStill, storeOne, storeSpan, type Span } from './elements.js';
import { accumulatorKind, accumulators, acrossLanes, combine, foldedAs, masked, neutral, parts } from './fold.js';
import { isExtreme, observe, openWitness, settle } from './extreme.js';
import { f32, f32x4, f64, f64x2, i32, i32x4, select, shuffle, v128 } from './instructions.js';
import { constantOf, FIRST_OF_FOUR, LANES, splatInt, type LaneKind, type Lanes } from './lanes.js';
import type { Local } from './module.js';
import { tensorOf, type NestPlan, type Pieces } from './plan.js';
import { renderScalar, renderScalars, type Leaves } from './scalar.js';
import { countOperand } from './expressions.js';
import { hoist } from './invariant.js';
import { unrolled } from './unroll.js';
import { inSteps, overAxes } from './walk.js';

/** What is done with the vectors of one step. */
type Then = (values: readonly Lanes[], spans: readonly Span[]) => Code;

/** The loops of the nest around `plan.axis`, which is one of the folded axes. */
export function renderAlong(plan: NestPlan, pieces: Pieces): Code {
  const { walk, place, fresh } = pieces;
  const position = walk.scope.local('i32');
  // For each fold: its value in all lanes, as its accumulators have it.
  const folded: Local[] = [];
  const fold = (kind: LaneKind, index: number): Code => {
    const from = accumulatorKind(plan.folds[index]);
    const local = folded[index];
    if (from === kind) return local.get;
    if (kind === 'f64') return foldedAs(plan.folds[index], 'f64', [local], 0);
    return shuffle(f32x4.demote_f64x2_zero(local.get), i32x4.const(0), FIRST_OF_FOUR);
  };

  const isStill = (index: number): boolean =>
    index === countOperand(plan.inputs) || walk.moves[tensorOf(plan, index)][plan.axis] === 'still';
  const run = (list: readonly Instruction[], most: number, then: Then, meanwhile: (bytes: number) => Code = () => []): Code => {
    const left = walk.scope.local('i32');
    const still = new Map<number, Local>();
    const kept: Code[] = [];
    const lanes = LANES[plan.kind];
    const operand = (index: number, span: Span): Code => {
      if (!isStill(index)) return loadSpan(walk, tensorOf(plan, index), span);
      let local = still.get(index);
      if (local === undefined) {
        still.set(index, (local = walk.scope.local('v128')));
        kept.push(
          local.set(
            index === countOperand(plan.inputs)
              ? splatInt(plan.kind, walk.count)
              : loadStill(walk, tensorOf(plan, index), plan.kind),
          ),
        );
      }
      return local.get;
    };
    const first: Span = { kind: plan.kind, axis: plan.axis, from: 0, left: undefined };
    const leaves = (span: Span): Leaves => ({
      operand: (index) => operand(index, span),
      fold: (index) => fold(plan.kind, index),
      position: () => positions(plan.kind, position, span.from, pieces),
    });
    fresh();
    const hoisted = hoist(list, isStill, leaves(first), place, walk.scope);
    const body = (vectors: number, end?: Local): Code => {
      const spans = Array.from({ length: vectors }, (_, u): Span => ({
        kind: plan.kind,
        axis: plan.axis,
        from: u * lanes,
        left: end,
      }));
      fresh();
      const { code, values } = renderScalars(list, spans.map(leaves), place, hoisted.known);
      return [code, then(values, spans)];
    };
    const next = (elements: number, code: Code): Code =>
      plan.hasPosition ? [code, position.set(i32.add(position.get, i32.const(elements)))] : code;
    const rest = body(1, left);
    const vectors = unrolled(rest, most);
    const whole = vectors === 1 ? undefined : next(vectors * lanes, [meanwhile(vectors * 16), body(vectors)]);
    const start = walk.scope.local('i32');
    const loops = (): Code => [
      kept,
      hoisted.code,
      start.set(position.get),
      inSteps(walk, plan.axis, { whole, step: vectors * lanes, rest: next(lanes, rest), lanes }, left),
      position.set(i32.add(start.get, walk.extent(plan.axis))),
    ];
    return [
      position.set(i32.const(0)),
      overAxes(
        walk,
        plan.inner.filter((axis) => axis !== plan.axis),
        loops,
      ),
    ];
  };

  const store: Then = (values, spans) => values.map((lanes, u) => storeSpan(walk, spans[u], lanes));
  const ahead = nextRow(plan, pieces);
  return overAxes(walk, plan.written, (rows) => [
    ahead.set(rows),
    plan.folds.map((folding, at) => {
      const isLast = at === plan.folds.length - 1;
      const isKept = plan.keepsLast && isLast;
      const code = renderFold(plan, pieces, at, (most, then) =>
        run(
          plan.values[at],
          most,
          (values, spans) => [then(values, spans), isKept ? store(values, spans) : []],
          isLast && at > 0 ? ahead.touch : undefined,
        ),
      );
      folded.push(code.value);
      return code.code;
    }),
    plan.emits === 'element' ? run(plan.result, 8, store) : storeGroup(plan, pieces, (index) => fold(plan.resultKind, index)),
  ]);
}

/**
 * Reads the row behind while a fold computes with this one, so that its memory is near when its turn comes: the first
 * fold of a row waits for memory, the later ones do not.
 */
function nextRow(plan: NestPlan, { walk }: Pieces) {
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

/** One fold over all inner axes, and the local that holds it in all lanes then. */
function renderFold(
  plan: NestPlan,
  pieces: Pieces,
  at: number,
  run: (most: number, then: Then) => Code,
): { readonly code: Code; readonly value: Local } {
  const { scope } = pieces.walk;
  const folding = plan.folds[at];
  const width = accumulators(folding);
  const isOne = plan.values[at].length === 1;
  const most = width === 2 && isOne ? 4 : 8;
  // What a function gave is added up as float32 within a step; a lone operand may be too large for that.
  const isTree = width === 2 && folding.monoid === 'sum' && !isOne;
  const own = Array.from({ length: isTree ? 1 : most }, () => Array.from({ length: width }, () => scope.local('v128')));
  const witness = { nan: scope.local('v128'), bits: scope.local('v128') };
  const loops = run(most, (values, spans) => {
    const local = pieces.place.scope;
    const given = values.map(({ value }, u) => {
      const { left } = spans[u];
      const kept = local.local('v128');
      const whole = left === undefined ? value() : masked(folding, value(), existing(plan.kind, left, scope), scope);
      return { kept, code: kept.set(whole) };
    });
    const take = ({ kept }: { readonly kept: Local }, u: number): Code =>
      isExtreme(folding)
        ? observe(folding, own[u][0], witness, kept)
        : parts(folding, kept).map((part, k) => own[u][k].set(combine(folding, own[u][k].get, part, local)));
    if (!isTree || given.length === 1) return given.map((each, u) => [each.code, take(each, u)]);
    const sum = { kept: local.local('v128') };
    return [given.map(({ code }) => code), sum.kept.set(tree(given.map(({ kept }) => kept.get))), take(sum, 0)];
  });
  const all = own.flat();
  const [value] = all;
  const code = [
    all.map((local) => local.set(neutral(folding, accumulatorKind(folding), scope))),
    isExtreme(folding) ? openWitness(folding, scope, witness) : [],
    loops,
    all.slice(1).map((local) => value.set(combine(folding, value.get, local.get, scope))),
    acrossLanes(folding, value, scope),
    isExtreme(folding) ? settle(folding, value, witness, scope) : [],
  ];
  return { code, value };
}

/** Sums of neighbours, of their sums, and so on. */
const tree = (values: readonly Code[]): Code =>
  values.length === 1
    ? values[0]
    : tree(Array.from({ length: values.length / 2 }, (_, k) => f32x4.add(values[2 * k], values[2 * k + 1])));

const LINE = 64;
const DROP = 0x1a;
const IOTA = [0, 1, 2, 3];

/** Lanes below `left`, as a mask. */
const existing = (kind: LaneKind, left: Local, scope: Pieces['walk']['scope']): Code =>
  kind === 'f64'
    ? f64x2.gt(f64x2.splat(f64.convert_i32_s(left.get)), scope.constant('v128', f64x2.const(0, 1)))
    : i32x4.gt_s(i32x4.splat(left.get), scope.constant('v128', i32x4.const(0, 1, 2, 3)));

/** The positions of a vector's elements. */
function positions(kind: LaneKind, position: Local, from: number, { walk: { scope } }: Pieces): Code {
  const lanes = IOTA.map((lane) => from + lane) as [number, number, number, number];
  if (kind === 'f64')
    return f64x2.add(f64x2.splat(f64.convert_i32_s(position.get)), scope.constant('v128', f64x2.const(lanes[0], lanes[1])));
  if (kind === 'i32') return i32x4.add(i32x4.splat(position.get), scope.constant('v128', i32x4.const(...lanes)));
  return f32x4.add(f32x4.splat(f32.convert_i32_s(position.get)), scope.constant('v128', f32x4.const(...lanes)));
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
