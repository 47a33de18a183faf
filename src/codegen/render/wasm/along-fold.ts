/**
 * @file One fold along its vectors: accumulators for several of them, and how they become one number.
 */
import type { Code } from './bytes.js';
import { isExtreme, observe, openWitness, settle } from './extreme.js';
import { accumulatorKind, accumulators, acrossLanes, combine, masked, neutral, parts } from './fold.js';
import { f32x4, f64, f64x2, i32x4 } from './instructions.js';
import type { LaneKind } from './lanes.js';
import type { Local, Scope } from './module.js';
import type { NestPlan, Pieces } from './plan.js';
import type { Then } from './along-loop.js';

/** Accumulators of float64 pairs that stay in registers. */
const PAIRS = 4;

/** One fold over all inner axes, and the local that holds it in all lanes then. */
export function renderFold(
  plan: NestPlan,
  pieces: Pieces,
  at: number,
  run: (most: number, then: Then) => Code,
): { readonly code: Code; readonly value: Local } {
  const { scope } = pieces.walk;
  const folding = plan.folds[at];
  const width = accumulators(folding);
  const isOne = plan.values[at].length === 1;
  const most = 8;
  // What a function gave is added up as float32 within a step; a lone operand may be too large for that.
  const isTree = width === 2 && folding.monoid === 'sum' && !isOne;
  const own = Array.from({ length: isTree ? 1 : width === 2 ? PAIRS : most }, () =>
    Array.from({ length: width }, () => scope.local('v128')),
  );
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
        ? observe(folding, own[u % own.length][0], witness, kept)
        : parts(folding, kept).map((part, k) =>
            own[u % own.length][k].set(combine(folding, own[u % own.length][k].get, part, local)),
          );
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

/** Lanes below `left`, as a mask. */
const existing = (kind: LaneKind, left: Local, scope: Scope): Code =>
  kind === 'f64'
    ? f64x2.gt(f64x2.splat(f64.convert_i32_s(left.get)), scope.constant('v128', f64x2.const(0, 1)))
    : i32x4.gt_s(i32x4.splat(left.get), scope.constant('v128', i32x4.const(0, 1, 2, 3)));
