/**
 * @file What a contraction path is: the order in which operands are contracted, two at a time, and what that costs.
 */
import type { Contraction } from '../../ops/einsum/resolve.js';

/** How an order was found. `none` is left to right. */
export type PathMethod = 'greedy' | 'random-greedy' | 'optimal' | 'none';

/** One contraction of a value, or of two. */
export interface PathStep {
  /** Slots: operand i is slot i, the result of step k is slot n + k (of n operands). Each slot is used once. */
  readonly inputs: readonly [number] | readonly [number, number];
  /** Labels of the result, in order. */
  readonly output: readonly number[];
  /** Multiplications and additions. */
  readonly flops: number;
  /** Size of the result. */
  readonly elements: number;
}

/** An order of contraction and its costs. */
export interface ContractionPath {
  readonly contraction: Contraction;
  readonly method: PathMethod;
  readonly steps: readonly PathStep[];
  /** Of all steps. */
  readonly flops: number;
  /** Of one loop over all labels, without a path. */
  readonly loopFlops: number;
  /** Elements of the largest intermediate; 0 where there is none. */
  readonly largest: number;
}

/** Two slots, contracted into the next free one. */
export type Pair = readonly [number, number];
