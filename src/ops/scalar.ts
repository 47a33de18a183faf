/**
 * @file Scalar expressions: the single truth of every op's arithmetic.
 *
 * A small tree of standard functions over the operands of one element. Each renderer lowers it; the
 * evaluator in `evaluate.ts` defines it. Sharing is by identity: a subtree used twice is computed once.
 */
import type { ComputedDType } from '../tensor/dtype.js';

/** IEEE 754 / C meaning where they define one; `round` is half to even; logic gives 0 or 1. */
export const UNARY_FUNCTIONS = [
  'neg',
  'abs',
  'sign',
  'floor',
  'ceil',
  'round',
  'trunc',
  'sqrt',
  'cbrt',
  'exp',
  'exp2',
  'expm1',
  'log',
  'log2',
  'log10',
  'log1p',
  'sin',
  'cos',
  'tan',
  'asin',
  'acos',
  'atan',
  'sinh',
  'cosh',
  'tanh',
  'asinh',
  'acosh',
  'atanh',
  'erf',
  'erfc',
  'isnan',
  'isfinite',
  'isinf',
  'not',
] as const;

/** `max` and `min` let NaN win. `mod` takes the divisor's sign (floored), `fmod` the dividend's. Comparisons and logic give 0 or 1. */
export const BINARY_FUNCTIONS = [
  'add',
  'sub',
  'mul',
  'div',
  'pow',
  'mod',
  'fmod',
  'min',
  'max',
  'atan2',
  'hypot',
  'eq',
  'ne',
  'lt',
  'le',
  'gt',
  'ge',
  'and',
  'or',
  'xor',
] as const;

export type UnaryFunction = (typeof UNARY_FUNCTIONS)[number];
export type BinaryFunction = (typeof BINARY_FUNCTIONS)[number];

/** An expression of numbers for one element, as data: made with `s`, turned into code by each backend. */
export type Scalar =
  | { readonly kind: 'constant'; readonly value: number }
  /** The element of operand `index`. */
  | { readonly kind: 'operand'; readonly index: number }
  /** The result of fold `index` of the same kernel. */
  | { readonly kind: 'fold'; readonly index: number }
  /** Row-major position within the folded axes. */
  | { readonly kind: 'position' }
  /** Number of elements folded into one. */
  | { readonly kind: 'count' }
  | { readonly kind: 'unary'; readonly fn: UnaryFunction; readonly x: Scalar }
  | { readonly kind: 'binary'; readonly fn: BinaryFunction; readonly x: Scalar; readonly y: Scalar }
  /** x where test is not zero (NaN is not zero), else y. */
  | { readonly kind: 'select'; readonly test: Scalar; readonly x: Scalar; readonly y: Scalar }
  /** Rounded as storing to `dtype` rounds: what a fused chain needs between two ops. int32 wraps. */
  | { readonly kind: 'round'; readonly dtype: ComputedDType; readonly x: Scalar };

type Term = Scalar | number;
const lift = (x: Term): Scalar => (typeof x === 'number' ? { kind: 'constant', value: x } : x);

type Unary = Record<UnaryFunction, (x: Term) => Scalar>;
type Binary = Record<BinaryFunction, (x: Term, y: Term) => Scalar>;

const unary = Object.fromEntries(
  UNARY_FUNCTIONS.map((fn) => [fn, (x: Term): Scalar => ({ kind: 'unary', fn, x: lift(x) })]),
) as Unary;
const binary = Object.fromEntries(
  BINARY_FUNCTIONS.map((fn) => [fn, (x: Term, y: Term): Scalar => ({ kind: 'binary', fn, x: lift(x), y: lift(y) })]),
) as Binary;

/**
 * Builders: `s.div(1, s.add(1, s.exp(s.neg(x))))`. A number stands for a constant.
 *
 * ```ts
 * s.neg(2) // => { kind: 'unary', fn: 'neg', x: { kind: 'constant', value: 2 } }
 * ```
 */
export const s = {
  ...unary,
  ...binary,
  constant: (value: number): Scalar => ({ kind: 'constant', value }),
  operand: (index: number): Scalar => ({ kind: 'operand', index }),
  fold: (index: number): Scalar => ({ kind: 'fold', index }),
  position: { kind: 'position' } as Scalar,
  count: { kind: 'count' } as Scalar,
  select: (test: Term, x: Term, y: Term): Scalar => ({ kind: 'select', test: lift(test), x: lift(x), y: lift(y) }),
  /** Apart from `round`, which gives whole numbers. */
  roundTo: (dtype: ComputedDType, x: Term): Scalar => ({ kind: 'round', dtype, x: lift(x) }),
};

/** The direct subterms of a term. */
export function subterms(term: Scalar): readonly Scalar[] {
  switch (term.kind) {
    case 'unary':
    case 'round':
      return [term.x];
    case 'binary':
      return [term.x, term.y];
    case 'select':
      return [term.test, term.x, term.y];
    default:
      return [];
  }
}
