/**
 * @file One fold along its vectors: accumulators for several of them, and how they become one number.
 */
import type { Code } from './bytes.js';
import { isExtreme, observe, openWitness, settle } from './extreme.js';
import { accumulatorKind, accumulators, acrossLanes, combine, masked, neutral, parts, type Folding } from './fold.js';
import { isNative } from './functions.js';
import { f32x4, f64, f64x2, i32x4 } from './instructions.js';
import type { LaneKind } from './lanes.js';
import type { Local, Scope } from './module.js';
import type { NestPlan, Pieces } from './plan.js';
import type { Then } from './along-loop.js';

/** Accumulators of float64 pairs that stay in registers. */
const PAIRS = 4;
/** Vectors a step. */
const VECTORS = 8;

/** A fold while its vectors come in. */
export interface OpenFold {
  readonly open: Code;
  /** One more vector, into the accumulators of place `u`. */
  readonly take: (x: Local, u: number, scope: Scope) => Code;
  /** Leaves the fold's value in all lanes of `value`. */
  readonly close: Code;
  readonly value: Local;
}

/** A fold with accumulators for `count` vectors. */
export function openFold(folding: Folding, scope: Scope, count: number): OpenFold {
  const own = Array.from({ length: count }, () => Array.from({ length: accumulators(folding) }, () => scope.local('v128')));
  const witness = { nan: scope.local('v128'), bits: scope.local('v128') };
  const all = own.flat();
  const [value] = all;
  return {
    value,
    open: [
      all.map((local) => local.set(neutral(folding, accumulatorKind(folding), scope))),
      isExtreme(folding) ? openWitness(folding, scope, witness) : [],
    ],
    take: (x, u, within) => {
      const mine = own[u % count];
      if (isExtreme(folding)) return observe(folding, mine[0], witness, x);
      return parts(folding, x).map((part, k) => mine[k].set(combine(folding, mine[k].get, part, within)));
    },
    close: [
      all.slice(1).map((local) => value.set(combine(folding, value.get, local.get, scope))),
      acrossLanes(folding, value, scope),
      isExtreme(folding) ? settle(folding, value, witness, scope) : [],
    ],
  };
}

/** A fold of one loop over all inner axes. */
export interface AlongFold extends Pick<OpenFold, 'open' | 'close' | 'value'> {
  readonly then: Then;
}

/** Vectors a step of a loop that `sharing` folds share. */
export const vectorsFor = (sharing: number): number => (sharing === 1 ? VECTORS : VECTORS / 2);

/** A fold for a loop that `sharing` folds share: they share the registers too. */
export function alongFold(plan: NestPlan, { walk: { scope }, place }: Pieces, at: number, sharing: number): AlongFold {
  const folding = plan.folds[at];
  const isWide = accumulators(folding) === 2;
  // What a function gave is added up as float32 within a step; an operand, or what arithmetic makes of it, may be too large.
  const isFunction = plan.values[at].some((i) => !isNative('f64', i));
  const isTree = isWide && folding.monoid === 'sum' && isFunction && !folding.squares;
  const most = isWide ? PAIRS : VECTORS;
  const { open, take, close, value } = openFold(folding, scope, isTree ? 1 : Math.max(1, most >> Math.ceil(Math.log2(sharing))));
  const then: Then = (values, spans) => {
    const local = place.scope;
    const given = values.map((lanes, u) => {
      const { left } = spans[u];
      const kept = local.local('v128');
      const whole = left === undefined ? lanes.value() : masked(folding, lanes.value(), existing(plan.kind, left, scope), scope);
      return { kept, code: kept.set(whole) };
    });
    if (!isTree || given.length === 1) return given.map((each, u) => [each.code, take(each.kept, u, local)]);
    const sum = local.local('v128');
    return [given.map(({ code }) => code), sum.set(tree(given.map(({ kept }) => kept.get))), take(sum, 0, local)];
  };
  return { open, then, close, value };
}

/** Sums of neighbours, of their sums, and so on. */
const tree = (values: readonly Code[]): Code =>
  values.length === 1
    ? values[0]
    : tree(Array.from({ length: values.length / 2 }, (_, k) => f32x4.add(values[2 * k], values[2 * k + 1])));

/** Lanes below `left`, as a mask. */
export const existing = (kind: LaneKind, left: Local, scope: Scope): Code =>
  kind === 'f64'
    ? f64x2.gt(f64x2.splat(f64.convert_i32_s(left.get)), scope.constant('v128', f64x2.const(0, 1)))
    : i32x4.gt_s(i32x4.splat(left.get), scope.constant('v128', i32x4.const(0, 1, 2, 3)));
