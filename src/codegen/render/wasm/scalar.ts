/**
 * @file Scalar expressions on vectors: one local an instruction, in the order of evaluation.
 *
 * Predicates give masks, from which 1 and 0 are made only where a number is wanted.
 */
import type { Instruction } from '../../linear.js';
import type { ComputedDType } from '../../../tensor/dtype.js';
import type { Code } from './bytes.js';
import { call, f32x4, f64x2, v128 } from './instructions.js';
import { comparisonsOf, constantOf, toInt32, type LaneKind, type Lanes } from './lanes.js';
import { binaryOf, unaryOf } from './functions.js';
import { maxConstant, minConstant } from './math/extremes.js';
import { decayF32 } from './math/unary-f32.js';
import type { Target } from './kernel.js';
import type { Local, Scope } from './module.js';
import { pooled } from './pool.js';
import { maybeMinusZero } from './zeros.js';

/** What stands for the leaves of an expression at this place of the kernel: vectors of the lane kind. */
export interface Leaves {
  readonly operand: (index: number) => Code;
  readonly fold: (index: number) => Code;
  readonly position: () => Code;
}

export interface Place {
  readonly kind: LaneKind;
  readonly scope: Scope;
  readonly target: Target;
  /** Arguments of exp are at most 0, and one of its results, which are added up, is 1. */
  readonly decays?: true;
}

/** Values of instructions that were computed before, by their index. */
export type Known = ReadonlyMap<number, Local>;

/** Code that computes an expression, and where its value is then: as numbers, and as a mask where it is a truth value. */
export interface Computed extends Lanes {
  readonly code: Code;
}

interface Value {
  readonly local: Local;
  /** The local holds a mask. */
  readonly isMask: boolean;
}

/** The last instruction's value, not yet rounded to the dtype that it will be stored as. */
export function renderScalar(list: readonly Instruction[], leaves: Leaves, place: Place): Computed {
  const { code, values } = renderScalars(list, [leaves], place);
  return { code, ...values[0] };
}

/**
 * One expression on several vectors, instruction by instruction: while one vector waits for its divisions, the others
 * are computed.
 */
export function renderScalars(
  list: readonly Instruction[],
  vectors: readonly Leaves[],
  place: Place,
  known: Known = new Map(),
): { readonly code: Code; readonly values: readonly Lanes[] } {
  const code: Code[] = [];
  const temporary = pooled(place.scope);
  const one = vectors.map((leaves) => vectorOf(list, leaves, place, { ...place, scope: temporary.scope }, code));
  list.forEach((i, at) => {
    for (const { render, take } of one) {
      const local = known.get(at);
      if (local === undefined) render(i);
      else take(local);
      temporary.reuse();
    }
  });
  return { code, values: one.map(({ result }) => result()) };
}

/** The values of one vector; what an instruction needs while it is computed comes from `within`. */
function vectorOf(list: readonly Instruction[], leaves: Leaves, { kind, scope }: Place, within: Place, code: Code[]) {
  const values: Value[] = [];
  const numberOf = ({ local, isMask }: Value): Code => (isMask ? v128.and(local.get, constantOf(kind, 1, scope)) : local.get);
  const number = (at: number): Local => {
    const value = values[at];
    if (!value.isMask) return value.local;
    const local = scope.local('v128');
    code.push(local.set(numberOf(value)));
    values[at] = { local, isMask: false };
    return local;
  };
  const truth = (at: number): Code => {
    const { local, isMask } = values[at];
    return isMask ? local.get : comparisonsOf(kind).ne(local.get, constantOf(kind, 0, scope));
  };
  const keep = (given: Code, isMask = false): void => {
    const local = scope.local('v128');
    code.push(local.set(given));
    values.push({ local, isMask });
  };
  const render = (i: Instruction): void => {
    switch (i.kind) {
      case 'constant':
        return keep(constantOf(kind, i.value, scope));
      case 'operand':
        return keep(leaves.operand(i.index));
      case 'fold':
        return keep(leaves.fold(i.index));
      case 'position':
        return keep(leaves.position());
      case 'select':
        return keep(v128.bitselect(number(i.x).get, number(i.y).get, truth(i.test)));
      case 'round':
        if (i.dtype === 'bool') return keep(truth(i.x), true);
        return keep(rounded(i.dtype, number(i.x).get, within));
      case 'unary':
      case 'binary': {
        const mask = maskOf(i, (at) => number(at).get, truth, within);
        if (mask !== undefined) return keep(mask, true);
        const bounded = boundedBy(i, list, number, within);
        if (bounded !== undefined) return keep(bounded);
        return keep(i.kind === 'unary' ? applyUnary(i, number(i.x), within) : applyBinary(i, number(i.x), number(i.y), within));
      }
    }
  };
  const result = (): Lanes => {
    const last = values.at(-1)!;
    return { value: () => numberOf(last), mask: last.isMask ? last.local.get : undefined };
  };
  const take = (local: Local): void => void values.push({ local, isMask: false });
  return { render, take, result };
}

/** A predicate's mask; undefined for functions that give other numbers than 0 and 1. */
function maskOf(
  i: Instruction & { readonly kind: 'unary' | 'binary' },
  x: (at: number) => Code,
  truth: (at: number) => Code,
  { kind, scope }: Place,
): Code | undefined {
  const compare = comparisonsOf(kind);
  if (i.kind === 'unary') {
    const size = (): Code => (kind === 'f64' ? f64x2 : f32x4).abs(x(i.x));
    const never = constantOf('i32', 0, scope);
    switch (i.fn) {
      case 'not':
        return v128.not(truth(i.x));
      case 'isnan':
        return kind === 'i32' ? never : compare.ne(x(i.x), x(i.x));
      case 'isfinite':
        return kind === 'i32' ? v128.not(never) : compare.lt(size(), constantOf(kind, Infinity, scope));
      case 'isinf':
        return kind === 'i32' ? never : compare.eq(size(), constantOf(kind, Infinity, scope));
      default:
        return undefined;
    }
  }
  switch (i.fn) {
    case 'eq':
    case 'ne':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      return compare[i.fn](x(i.x), x(i.y));
    case 'and':
    case 'or':
    case 'xor':
      return v128[i.fn](truth(i.x), truth(i.y));
    default:
      return undefined;
  }
}

/** max and min of float32 against a constant, which take fewer instructions than any two vectors; they commute. */
function boundedBy(
  i: Instruction & { readonly kind: 'unary' | 'binary' },
  list: readonly Instruction[],
  x: (at: number) => Local,
  { kind, scope }: Place,
): Code | undefined {
  if (kind !== 'f32' || i.kind !== 'binary' || (i.fn !== 'max' && i.fn !== 'min')) return undefined;
  const [a, b] = [list[i.x], list[i.y]];
  const bound = i.fn === 'max' ? maxConstant : minConstant;
  if (b.kind === 'constant') return bound(scope, x(i.x), Math.fround(b.value), maybeMinusZero(list, i.x));
  return a.kind === 'constant' ? bound(scope, x(i.y), Math.fround(a.value), maybeMinusZero(list, i.y)) : undefined;
}

/** Rounded as storing rounds. The lane kind already rounds to its own dtype. */
function rounded(dtype: ComputedDType, x: Code, { kind, scope }: Place): Code {
  if (kind !== 'f64' || dtype === 'float64') return x;
  return dtype === 'float32' ? f64x2.promote_low_f32x4(f32x4.demote_f64x2_zero(x)) : f64x2.convert_low_i32x4_s(toInt32(x, scope));
}

function applyUnary(i: Instruction & { readonly kind: 'unary' }, x: Local, { kind, scope, target, decays }: Place): Code {
  const own = decays === true && kind === 'f32' && i.fn === 'exp' ? decayF32 : unaryOf(kind, i.fn);
  return own === undefined ? eachLane(scope, `unary.${i.fn}`, [x]) : own(scope, x, target);
}

function applyBinary(i: Instruction & { readonly kind: 'binary' }, x: Local, y: Local, { kind, scope, target }: Place): Code {
  const own = binaryOf(kind, i.fn, i.domain);
  if (own !== undefined) return own(scope, x, y, target);
  return eachLane(scope, `${i.domain === 'integer' ? 'integer' : 'binary'}.${i.fn}`, [x, y]);
}

/** An imported function on both float64 lanes. */
function eachLane(scope: Scope, name: string, args: readonly Local[]): Code {
  const at = (lane: number): Code => call(scope.functionIndex(name), ...args.map((x) => f64x2.extract_lane(x.get, lane)));
  return f64x2.replace_lane(f64x2.splat(at(0)), 1, at(1));
}
