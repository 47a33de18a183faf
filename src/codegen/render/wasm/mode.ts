/**
 * @file Which lanes a nest is computed in: four float32 or four int32 where that gives the reference's results, float64 elsewhere.
 */
import type { ComputedDType } from '../../../tensor/dtype.js';
import type { NestIR } from '../../ir.js';
import { isTruth, type Instruction } from '../../linear.js';
import { isNative } from './functions.js';
import type { LaneKind } from './lanes.js';
import type { Expressions } from './expressions.js';

/** Whole numbers up to here are float32. */
const EXACT = 2 ** 24;

export function laneKind(ir: NestIR, expressions: Expressions, count: number): LaneKind {
  const dtypes = [...ir.inputs.map(({ dtype }) => dtype), ir.output.dtype];
  if (dtypes.every((dtype) => dtype === 'int32' || dtype === 'bool')) {
    if (dtypes.includes('int32')) return isModular(ir, expressions, count) ? 'i32' : 'f64';
  }
  return isSingle(ir, expressions, count) ? 'f32' : 'f64';
}

/** Float32 lanes are near enough to the reference, which computes in float64 and rounds what it stores. */
function isSingle(ir: NestIR, { values, finishes, result }: Expressions, count: number): boolean {
  const isFloat = (dtype: ComputedDType): boolean => dtype === 'float32' || dtype === 'bool';
  const { dtype } = ir.output;
  if (!ir.inputs.every((access) => isFloat(access.dtype))) return false;
  // A group's result is computed in float64 lanes and may be stored as int32: a position, a number of truths.
  const isWide = ir.folds.length > 0 && ir.emits === 'group';
  if (!isFloat(dtype) && !(dtype === 'int32' && isWide)) return false;
  if (!isWide && !isSingleResult(result, count)) return false;
  return values.every((list, at) => {
    const { monoid } = ir.folds[at];
    const isExtreme = monoid === 'max' || monoid === 'min';
    if (dtype === 'int32' && !isExtreme && !isTruth(list.at(-1)!)) return false;
    const finish = finishes[at];
    if (finish !== undefined && !(isStored(finish) && (!isExtreme || fitsSingle(finish, count)))) return false;
    // A lone operand is as good in either: where a row is read again, it stays as it lies.
    const isLone = list.length === 1 && (ir.folds.length > 1 || ir.emits === 'element');
    return fitsSingle(list, count) && (isExtreme || isStored(list) || isLone || !needsRange(list));
  });
}

/** Float32 lanes give this result as well as float64 ones. */
export const isSingleResult = (result: readonly Instruction[], count: number): boolean =>
  fitsSingle(result, count) && !cancels(result);

/** Rounded to what float32 lanes hold. */
function isStored(list: readonly Instruction[]): boolean {
  const last = list.at(-1)!;
  return last.kind === 'round' && (last.dtype === 'float32' || last.dtype === 'bool');
}

/**
 * Sums of squares and products overflow float32 long before their mean or root does, so they are computed in float64;
 * what an exponential adds is as good in float32. A lone operand is widened as it is loaded, which is one instruction on
 * x64: from a register it takes two, and a shuffle for the upper half.
 */
const needsRange = (list: readonly Instruction[]): boolean => !isTruth(list.at(-1)!) && list.every((i) => isNative('f64', i));

/**
 * A sum of unrounded products (x + y − x·y) may lose its digits to cancellation, where float64 keeps enough of them.
 * With functions that only float32 lanes have, such sums are of one sign (1 + 2e⁻ˣ), and stay.
 */
function cancels(list: readonly Instruction[]): boolean {
  const isArithmetic = (at: number): boolean => {
    const i = list[at];
    return i.kind === 'binary' && (i.fn === 'add' || i.fn === 'sub' || i.fn === 'mul');
  };
  const isSum = (i: Instruction): boolean => i.kind === 'binary' && (i.fn === 'add' || i.fn === 'sub');
  return (
    list.some((i) => isSum(i) && i.kind === 'binary' && (isArithmetic(i.x) || isArithmetic(i.y))) &&
    list.every((i) => isNative('f64', i))
  );
}

function fitsSingle(list: readonly Instruction[], count: number): boolean {
  const compared = new Set<number>();
  for (const i of list) if (i.kind === 'binary' && isTruth(i)) compared.add(i.x).add(i.y);
  return list.every((i, at) => {
    switch (i.kind) {
      case 'constant': {
        const single = Math.fround(i.value);
        // A comparison tells 0.1 from the float32 beside it.
        if (compared.has(at) && !Object.is(single, i.value)) return false;
        return Number.isFinite(i.value) === Number.isFinite(single) && (single !== 0 || i.value === 0);
      }
      case 'position':
        return count <= EXACT;
      case 'round':
        return i.dtype === 'float32' || i.dtype === 'bool';
      case 'binary':
        return isTruth(i) || (i.domain === 'float' && isNative('f32', i));
      default:
        return isNative('f32', i);
    }
  });
}

/** Int32 lanes wrap after each step, the reference when it stores: the same unless something looks at the number between. */
function isModular(ir: NestIR, { values, finishes, result }: Expressions, count: number): boolean {
  const { dtype } = ir.output;
  const foldsFit = values.every((list, at) => {
    const range = rangeOf(list);
    if (range === undefined) return false;
    const { monoid } = ir.folds[at];
    return monoid === 'max' || monoid === 'min' ? range && count > 0 : dtype === 'int32';
  });
  const range = rangeOf(result);
  const finishesFit = finishes.every((list) => list === undefined || rangeOf(list) === true);
  return foldsFit && finishesFit && range !== undefined && (range || dtype === 'int32');
}

/** True when the value surely lies within int32, false when only its low 32 bits are right; undefined when it is no integer. */
function rangeOf(list: readonly Instruction[]): boolean | undefined {
  const within: boolean[] = [];
  for (const i of list) {
    const range = rangeOfOne(i, within);
    if (range === undefined) return undefined;
    within.push(range);
  }
  return within.at(-1);
}

function rangeOfOne(i: Instruction, within: readonly boolean[]): boolean | undefined {
  switch (i.kind) {
    case 'constant':
      return Object.is(i.value | 0, i.value) ? true : undefined;
    case 'operand':
    case 'fold':
    case 'position':
      return true;
    case 'select':
      return within[i.test] ? within[i.x] && within[i.y] : undefined;
    case 'round':
      if (i.dtype === 'int32') return true;
      return i.dtype === 'bool' && within[i.x] ? true : undefined;
    case 'unary':
      if (i.fn === 'neg') return false;
      if (!isNative('i32', i) || !within[i.x]) return undefined;
      return i.fn !== 'abs';
    case 'binary':
      if (i.fn === 'add' || i.fn === 'sub') return false;
      if (i.fn === 'mul') return i.domain === 'integer' ? true : undefined;
      return isNative('i32', i) && within[i.x] && within[i.y] ? true : undefined;
  }
}
