/**
 * @file And, or and their quantifiers in three logics of truth values in [0, 1].
 *
 * | | product | Łukasiewicz | Gödel |
 * |-|-|-|-|
 * | and | ab | max(0, a + b − 1) | min(a, b) |
 * | or | a + b − ab | min(1, a + b) | max(a, b) |
 * | residuum | 1 if a ≤ b, else b/a | min(1, 1 − a + b) | 1 if a ≤ b, else b |
 * | forall | Πa | max(0, 1 − Σ(1 − a)) | min a |
 * | exists | 1 − Π(1 − a) | min(1, Σa) | max a |
 *
 * The residuum is the largest z with and(a, z) ≤ b (Hájek, Metamathematics of Fuzzy Logic, 1998).
 */
import { add, div, lessEqual, maximum, minimum, mul, sub } from '../binary/index.js';
import type { Operand } from '../interpreter.js';
import { max, min, prod, sum, type ReduceParams } from '../reduce/index.js';
import { where } from '../ternary/index.js';
import { oneMinus } from '../unary/index.js';
import { orProbSum } from './formulas.js';

/** What differs between logics; all else follows from it and 1 − a. */
export interface Connectives {
  and(a: Operand, b: Operand): Operand;
  or(a: Operand, b: Operand): Operand;
  residuum(a: Operand, b: Operand): Operand;
  forall(a: Operand, params?: ReduceParams): Operand;
  exists(a: Operand, params?: ReduceParams): Operand;
}

/** The name of a logic: how `and` is computed decides all else. */
export type Logic = 'product' | 'lukasiewicz' | 'godel';

export const CONNECTIVES: Readonly<Record<Logic, Connectives>> = {
  product: {
    and: (a, b) => mul(a, b),
    or: (a, b) => orProbSum(a, b),
    // The divisor is 1 where it is not needed, so that neither 0/0 nor its gradient arises.
    residuum: (a, b) => {
      const holds = lessEqual(a, b);
      return where(holds, 1, div(b, where(holds, 1, a)));
    },
    forall: (a, params) => prod(a, params),
    exists: (a, params) => oneMinus(prod(oneMinus(a), params)),
  },
  lukasiewicz: {
    and: (a, b) => maximum(sub(add(a, b), 1), 0),
    or: (a, b) => minimum(add(a, b), 1),
    residuum: (a, b) => minimum(add(oneMinus(a), b), 1),
    forall: (a, params) => maximum(oneMinus(sum(oneMinus(a), params)), 0),
    exists: (a, params) => minimum(sum(a, params), 1),
  },
  godel: {
    and: (a, b) => minimum(a, b),
    or: (a, b) => maximum(a, b),
    residuum: (a, b) => where(lessEqual(a, b), 1, b),
    forall: (a, params) => min(a, params),
    exists: (a, params) => max(a, params),
  },
};
