/**
 * @file How a nest becomes a kernel: which lanes, and along which axis they lie.
 */
import type { Access, NestIR } from '../../ir.js';
import { foldRuns } from '../../fold-runs.js';
import type { Instruction } from '../../linear.js';
import { expressionKey, expressionsOf, isAtLeastOne, keepingLast, outputOperand, rootOf } from './expressions.js';
import type { Folding } from './fold.js';
import type { LaneKind } from './lanes.js';
import { laneKind } from './mode.js';
import { isTurned, turnedAxes, type TurnedAxes } from './turned-axes.js';
import type { Place } from './scalar.js';
import type { Move, Structure, Walk } from './walk.js';
import { withoutMinusZero } from './zeros.js';
import { s, subterms, type Scalar } from '../../../ops/scalar.js';

/** What code is written with at one place of a kernel. */
export interface Pieces {
  readonly walk: Walk;
  /** Its scope hands out locals that are free again after `fresh`. */
  readonly place: Place;
  readonly fresh: () => void;
}

export interface NestPlan extends Structure {
  readonly kind: LaneKind;
  /** The lanes of what is written. */
  readonly resultKind: LaneKind;
  readonly inputs: number;
  readonly written: readonly number[];
  readonly inner: readonly number[];
  /** The axis that vectors lie along. */
  readonly axis: number;
  /** Where operands are turned, the axes of the tiles, and which inputs they are. */
  readonly turned: TurnedAxes | undefined;
  readonly isTurned: readonly boolean[];
  /** Rows of the vectors' axis are so long that the row behind would push them out of the cache. */
  readonly isLong: boolean;
  readonly form: 'across' | 'along' | 'columns' | 'turned';
  readonly folds: readonly Folding[];
  /** Folds that share a run over a row. */
  readonly runs: readonly (readonly number[])[];
  readonly values: readonly (readonly Instruction[])[];
  readonly finishes: readonly (readonly Instruction[] | undefined)[];
  readonly result: readonly Instruction[];
  /** What is written behind it. */
  readonly further: readonly (readonly Instruction[])[];
  readonly hasPosition: boolean;
  readonly keepsLast: boolean;
  /** The last fold adds up e^(x − max x). */
  readonly decays: boolean;
  readonly emits: NestIR['emits'];
}

/** The tensor that an operand of an expression is read from: an input, or the output behind them. */
export const tensorOf = ({ inputs }: NestPlan, operand: number): number => (operand === outputOperand(inputs) ? inputs : operand);

const range = (from: number, to: number): readonly number[] => Array.from({ length: to - from }, (_, k) => from + k);

/** A map that asks where among the inner axes it is keeps these apart by a fold, of nothing. */
const placed = (ir: NestIR): NestIR =>
  ir.folds.length === 0 && ir.outer < ir.extents.length && readsPlace(ir.result, new Set())
    ? { ...ir, folds: [{ monoid: 'max', value: s.constant(0) }] }
    : ir;

function readsPlace(term: Scalar, seen: Set<Scalar>): boolean {
  if (seen.has(term)) return false;
  seen.add(term);
  return term.kind === 'position' || term.kind === 'count' || subterms(term).some((each) => readsPlace(each, seen));
}

/** A nest with at least one axis to lay vectors along; without folds all axes that are written are outer ones. */
export function normalised(given: NestIR): NestIR {
  const ir = placed(given);
  const folded = ir.folds.length > 0;
  const rank = folded || ir.emits === 'element' ? ir.extents.length : ir.outer;
  const cut = (access: Access): Access => ({ ...access, strides: access.strides.slice(0, rank) });
  const kept = {
    ...ir,
    extents: ir.extents.slice(0, rank),
    outer: folded ? ir.outer : rank,
    inputs: ir.inputs.map(cut),
    output: cut(ir.output),
  };
  if (rank > 0) return kept;
  const one = (access: Access, stride: number): Access => ({ ...access, strides: [stride] });
  return { ...kept, extents: [1], outer: 1, inputs: kept.inputs.map((access) => one(access, 0)), output: one(kept.output, 1) };
}

export const moveOf = (stride: number): Move => (stride === 0 ? 'still' : stride === 1 ? 'unit' : 'step');

const FITNESS: Readonly<Record<Move, number>> = { still: 1, unit: 2, step: 0 };

/** Higher where vectors are read and written whole. */
const fitness = (accesses: readonly Access[], axis: number): number =>
  accesses.reduce((sum, { strides }) => sum + FITNESS[moveOf(strides[axis])], 0);

function vectorAxis(ir: NestIR, hasPosition: boolean): number {
  const rank = ir.extents.length;
  const folded = range(ir.outer, rank);
  const isMap = ir.folds.length === 0;
  // Positions grow by one from lane to lane only along the last axis.
  const candidates = isMap ? range(0, rank) : [...range(0, ir.outer), ...(hasPosition ? folded.slice(-1) : folded)];
  const accesses = isMap ? [...ir.inputs, ir.output, ir.output] : ir.inputs;
  let best = candidates.at(-1)!;
  for (const axis of candidates.toReversed()) if (fitness(accesses, axis) > fitness(accesses, best)) best = axis;
  return best;
}

/** Elements of a row of which two do not stay near. */
const LONG = 16384;

/** Where sums of whole rows are worth working memory. */
const WORTH = { columns: 64, rows: 8 } as const;

function formOf(ir: NestIR, axis: number, hasPosition: boolean, count: number): NestPlan['form'] {
  if (axis >= ir.outer) return 'along';
  const isFold = ir.folds.length === 1 && ir.emits === 'group' && ir.outer < ir.extents.length && !hasPosition;
  const areRows = ir.inputs.every(({ strides }) => moveOf(strides[axis]) !== 'step');
  const isWorth = ir.extents[axis] >= WORTH.columns && count >= WORTH.rows;
  return isFold && areRows && isWorth ? 'columns' : 'across';
}

export function planNest(given: NestIR): {
  readonly plan: NestPlan;
  readonly ir: NestIR;
  readonly count: number;
  readonly key: string;
} {
  const ir = normalised(given);
  const count = ir.extents.slice(ir.outer).reduce((product, extent) => product * extent, 1);
  const plain = expressionsOf(ir);
  const kind = laneKind(ir, plain, count);
  const hasPosition = [...plain.values, plain.result].some((list) => list.some((i) => i.kind === 'position'));
  const turned = hasPosition ? undefined : turnedAxes(ir, kind);
  const axis = turned?.write ?? vectorAxis(ir, hasPosition);
  // What the output keeps on the way must not be rounded, and lie where the same lanes find it again.
  const canKeep = ir.output.dtype === (kind === 'f32' ? 'float32' : 'float64');
  const isStill = (operand: number): boolean =>
    operand < ir.inputs.length && moveOf(ir.inputs[operand].strides[axis]) === 'still';
  const isMap = ir.folds.length === 0;
  const settled = isMap && kind === 'f32' ? expressionsOf({ ...ir, result: withoutMinusZero(ir.result, isStill) }) : plain;
  const expressions = canKeep ? (keepingLast(ir) ?? settled) : settled;
  const isWide = kind === 'f32' && ir.folds.length > 0 && ir.emits === 'group';
  const squared = expressions.values.map((list, at) => {
    const isStored = expressions !== settled && at === ir.folds.length - 1;
    return kind === 'f32' && ir.folds[at].monoid === 'sum' && !isStored ? rootOf(list) : undefined;
  });
  const accesses = [...ir.inputs, ir.output];
  const rank = ir.extents.length;
  const plan: NestPlan = {
    kind,
    resultKind: isWide ? 'f64' : kind,
    dtypes: accesses.map(({ dtype }) => dtype),
    moves: accesses.map(({ strides }) => strides.map(moveOf)),
    rank,
    inputs: ir.inputs.length,
    written: range(0, ir.outer),
    inner: range(ir.outer, rank),
    axis,
    isLong: ir.outer === 0 || ir.extents[axis] >= LONG,
    turned,
    isTurned: ir.inputs.map((input) => turned !== undefined && isTurned(input, turned, kind)),
    form: turned === undefined ? formOf(ir, axis, hasPosition, count) : 'turned',
    folds: ir.folds.map(({ monoid }, at) => ({
      monoid,
      kind,
      wraps: kind === 'f64' && ir.output.dtype === 'int32',
      squares: squared[at] !== undefined,
    })),
    runs: ir.emits === 'group' ? foldRuns(ir) : ir.folds.map((_, at) => [at]),
    values: expressions.values.map((list, at) => squared[at] ?? list),
    finishes: expressions.finishes,
    result: expressions.result,
    further: expressions.further,
    hasPosition,
    keepsLast: expressions !== settled,
    decays: isAtLeastOne(ir),
    emits: ir.folds.length === 0 ? 'group' : ir.emits,
  };
  const key = [
    'nest',
    kind,
    ir.outer,
    plan.form,
    plan.isLong && plan.form === 'along',
    plan.turned?.read,
    plan.turned?.write,
    plan.axis,
    plan.keepsLast,
    plan.emits,
    plan.dtypes.join(),
    plan.moves.map((moves) => moves.join(' ')).join(),
    ...ir.folds.map(
      ({ monoid }, at) =>
        `${monoid}${squared[at] === undefined ? '' : ' of squares'} ${expressionKey(plan.values[at])} ${expressionKey(plan.finishes[at] ?? [])}`,
    ),
    expressionKey(plan.result),
    ...plan.further.map(expressionKey),
  ].join('|');
  return { plan, ir, count, key };
}
