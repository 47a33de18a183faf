/**
 * @file The loop over a folded axis: expressions on several vectors a step, and what is done with them.
 */
import type { Instruction } from '../../linear.js';
import type { Code } from './bytes.js';
import { loadSpan, loadStill, type Span } from './elements.js';
import { countOperand } from './expressions.js';
import { f32, f32x4, f64, f64x2, i32, i32x4 } from './instructions.js';
import { hoist } from './invariant.js';
import { LANES, splatInt, type LaneKind, type Lanes } from './lanes.js';
import type { Local } from './module.js';
import { tensorOf, type NestPlan, type Pieces } from './plan.js';
import { renderScalars, type Leaves } from './scalar.js';
import { unrolled } from './unroll.js';
import { inSteps, inStretches, overAxes, type Walk } from './walk.js';

/** What is done with the vectors of one step. */
export type Then = (values: readonly Lanes[], spans: readonly Span[]) => Code;

export interface AlongLoop {
  /** Expressions, one after another at each step. */
  readonly lists: readonly { readonly list: readonly Instruction[]; readonly then: Then }[];
  /** Vectors a step at most. */
  readonly most: number;
  /** What happens beside each step of so many bytes. */
  readonly beside?: (bytes: number) => Code;
  /** Places that are read at once. */
  readonly streams: number;
}

/** A loop over all inner axes; `fold` gives a fold's value in the kernel's lanes. */
export function renderLoop(plan: NestPlan, pieces: Pieces, fold: (index: number) => Code, loop: AlongLoop): Code {
  const { walk, place, fresh } = pieces;
  const { lists, most, beside, streams } = loop;
  const position = walk.scope.local('i32');
  const isStill = (index: number): boolean =>
    index === countOperand(plan.inputs) || walk.moves[tensorOf(plan, index)][plan.axis] === 'still';
  const left = walk.scope.local('i32');
  const still = new Map<number, Local>();
  const kept: Code[] = [];
  const lanes = LANES[plan.kind];
  const operand = (index: number, span: Span, from: Walk): Code => {
    if (!isStill(index)) return loadSpan(from, tensorOf(plan, index), span);
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
  const leaves = (span: Span, from: Walk): Leaves => ({
    operand: (index) => operand(index, span, from),
    fold,
    position: () => positions(plan.kind, position, span.from, pieces),
  });
  fresh();
  const hoisted = lists.map(({ list }) => hoist(list, isStill, leaves(first, walk), place, walk.scope));
  const body = (vectors: number, walks: readonly Walk[], end?: Local): Code => {
    const each = vectors / walks.length;
    const spans = Array.from({ length: vectors }, (_, u): Span => ({ ...first, from: (u % each) * lanes, left: end }));
    return lists.map(({ list, then }, at) => {
      fresh();
      const { code, values } = renderScalars(
        list,
        spans.map((span, u) => leaves(span, walks[Math.floor(u / each)])),
        place,
        hoisted[at].known,
      );
      return [code, then(values, spans)];
    });
  };
  const next = (elements: number, code: Code): Code =>
    plan.hasPosition ? [code, position.set(i32.add(position.get, i32.const(elements)))] : code;
  const rest = body(1, [walk], left);
  const vectors = unrolled(rest, most);
  const whole = vectors === 1 ? undefined : next(vectors * lanes, [beside?.(vectors * 16) ?? [], body(vectors, [walk])]);
  const areStreams = streams > 1 && vectors >= streams && !plan.hasPosition;
  const before = areStreams
    ? inStretches(walk, plan.axis, streams, (vectors / streams) * lanes, left, (walks) => body(vectors, walks))
    : [];
  const start = walk.scope.local('i32');
  const loops = (): Code => [
    kept,
    hoisted.map(({ code }) => code),
    start.set(position.get),
    inSteps(walk, plan.axis, { before, whole, step: vectors * lanes, rest: next(lanes, rest), lanes }, left),
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
}

const IOTA = [0, 1, 2, 3];

/** The positions of a vector's elements. */
function positions(kind: LaneKind, position: Local, from: number, { walk: { scope } }: Pieces): Code {
  const lanes = IOTA.map((lane) => from + lane) as [number, number, number, number];
  if (kind === 'f64')
    return f64x2.add(f64x2.splat(f64.convert_i32_s(position.get)), scope.constant('v128', f64x2.const(lanes[0], lanes[1])));
  if (kind === 'i32') return i32x4.add(i32x4.splat(position.get), scope.constant('v128', i32x4.const(...lanes)));
  return f32x4.add(f32x4.splat(f32.convert_i32_s(position.get)), scope.constant('v128', f32x4.const(...lanes)));
}
