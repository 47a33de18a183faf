/**
 * @file Soft logic: connectives and quantifiers as ops, chosen once by the name of a logic.
 */
import { minimum } from '../binary/index.js';
import type { Operand, ResultOf } from '../interpreter.js';
import { oneOf, readParams } from '../params.js';
import { logsumexp, max, mean, min, sum, type ReduceParams } from '../reduce/index.js';
import { oneMinus, sign } from '../unary/index.js';
import { CONNECTIVES, type Logic } from './connectives.js';

type Unary = <A extends Operand>(a: A) => ResultOf<A>;
type Binary = <A extends Operand, B extends Operand>(a: A, b: B) => ResultOf<A | B>;
type Quantifier = <A extends Operand>(a: A, params?: ReduceParams) => ResultOf<A>;

/** The connectives of one logic, each a function of truth values in [0, 1]. */
export interface SoftLogic {
  readonly and: Binary;
  readonly or: Binary;
  readonly not: Unary;
  readonly nand: Binary;
  readonly nor: Binary;
  /** or(and(a, not b), and(not a, b)) in the same logic. */
  readonly xor: Binary;
  readonly implies: Binary;
  /** Folds over `axis`, all axes by default. */
  readonly exists: Quantifier;
  readonly forall: Quantifier;
}

/** Which implication, quantifiers and negation a logic uses; each has the logic's own as its default. */
export interface SoftLogicOptions {
  /** `'residuum'` of the logic's and (default), or `'material'`: or(not a, b). */
  readonly implies?: 'residuum' | 'material';
  /**
   * `'fold'` of the logic's or (default), `'max'`, `'mean'`, `'logsumexp'` clamped to 1, or `'sum'`, which may pass 1.
   */
  readonly exists?: 'fold' | 'max' | 'mean' | 'logsumexp' | 'sum';
  /** `'fold'` of the logic's and (default), `'min'`, `'mean'`, or `'dual'`: not exists not, with the chosen exists. */
  readonly forall?: 'fold' | 'min' | 'mean' | 'dual';
  /** `'standard'`: 1 − a (default), or `'godel'`: 1 at 0 alone, the residual negation of Gödel and product logic. */
  readonly not?: 'standard' | 'godel';
}

/**
 * The connectives of a logic on truth values in [0, 1], as functions of tensors, symbols and variables.
 *
 * On 0 and 1 every logic agrees with the classical tables, whatever the options but `exists: 'mean' | 'sum'` and
 * `'logsumexp'`, and `forall: 'mean'`. Inputs outside [0, 1] are not clamped.
 *
 * ```ts
 * const { and, implies, forall } = softLogic('product');
 * and(tensor([0.5, 1]), tensor([0.5, 0.25])).toArray() // => [0.25, 0.25]
 * implies(tensor([0.5, 0.25]), tensor([0.25, 0.5])).toArray() // => [0.5, 1]
 * forall(tensor([[0.5, 0.5], [1, 1]]), { axis: 1 }).toArray() // => [0.25, 1]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for an unknown logic or option
 */
export function softLogic(logic: Logic, options: SoftLogicOptions = {}): SoftLogic {
  const chosen = readParams(
    { name: 'softLogic', params: CHOICES },
    { ...options, logic },
    { op: 'softLogic' },
  ) as unknown as Chosen;
  const { and, or, residuum, ...folds } = CONNECTIVES[chosen.logic];
  const not = chosen.not === 'godel' ? (a: Operand) => oneMinus(sign(a)) : (a: Operand) => oneMinus(a);
  const exists = EXISTS[chosen.exists] ?? folds.exists;
  const dual = (a: Operand, params?: ReduceParams) => not(exists(not(a), params));
  const forall = chosen.forall === 'dual' ? dual : (FORALL[chosen.forall] ?? folds.forall);
  const named = {
    and,
    or,
    not,
    nand: (a: Operand, b: Operand) => not(and(a, b)),
    nor: (a: Operand, b: Operand) => not(or(a, b)),
    xor: (a: Operand, b: Operand) => or(and(a, not(b)), and(not(a), b)),
    implies: chosen.implies === 'material' ? (a: Operand, b: Operand) => or(not(a), b) : residuum,
    exists,
    forall,
  };
  // What an op gives follows from its operands; inside, all are operands alike.
  return Object.freeze(named) as unknown as SoftLogic;
}

type Fold = (a: Operand, params?: ReduceParams) => Operand;

/** ln Σ eᵃ is above every a, and may be above 1 where all are 0. */
const EXISTS: Readonly<Record<string, Fold>> = {
  max,
  mean,
  sum,
  logsumexp: (a, params) => minimum(logsumexp(a, params), 1),
};
const FORALL: Readonly<Record<string, Fold>> = { min, mean };

type Chosen = Required<SoftLogicOptions> & { readonly logic: Logic };

const CHOICES = {
  logic: oneOf(['product', 'lukasiewicz', 'godel']),
  implies: oneOf(['residuum', 'material'], 'residuum'),
  exists: oneOf(['fold', 'max', 'mean', 'logsumexp', 'sum'], 'fold'),
  forall: oneOf(['fold', 'min', 'mean', 'dual'], 'fold'),
  not: oneOf(['standard', 'godel'], 'standard'),
};
