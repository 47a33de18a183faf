/**
 * @file Losses: how far a prediction is from its target, as one number. The mean over all elements, or over the rows of logits.
 */
import { less, mul, sub } from '../ops/binary/index.js';
import type { Operand } from '../ops/interpreter.js';
import { mean, sum } from '../ops/reduce/index.js';
import { logSoftmax } from '../ops/softmax/index.js';
import { where } from '../ops/ternary/index.js';
import { abs, oneMinus, relu, softplus, square } from '../ops/unary/index.js';

/**
 * Mean squared error: the mean of (prediction − target)².
 *
 * ```ts
 * mse(tensor([1, 2]), tensor([0, 4])).toArray() // => 2.5
 * ```
 */
export const mse = (prediction: Operand, target: Operand): Operand => mean(square(sub(prediction, target)));

/**
 * Cross-entropy of logits and class probabilities (one-hot rows, most often) along the last axis, the mean over the rows:
 * −Σ target · ln softmax(logits). Exact where a softmax would round to 0.
 *
 * ```ts
 * crossEntropy(tensor([[0, 0], [1000, 0]]), tensor([[1, 0], [1, 0]])).toArray() // => 0.3465736
 * ```
 */
export const crossEntropy = (logits: Operand, target: Operand): Operand =>
  mul(-1, mean(sum(mul(target, logSoftmax(logits)), { axis: -1 })));

/**
 * Cross-entropy of logits and truth values in [0, 1], element by element: the mean of softplus(z) − t·z.
 *
 * ```ts
 * binaryCrossEntropy(tensor([0, 1000]), tensor([1, 1])).toArray() // => 0.3465736
 * ```
 */
export const binaryCrossEntropy = (logits: Operand, target: Operand): Operand => mean(sub(softplus(logits), mul(target, logits)));

/**
 * Huber's loss: ½d² where |d| ≤ delta, else delta·(|d| − ½delta); the mean (Huber, 1964). `delta` is 1 unless given.
 *
 * ```ts
 * huber(tensor([0.5, 3]), tensor([0, 0])).toArray() // => 1.3125
 * ```
 */
export function huber(prediction: Operand, target: Operand, { delta = 1 }: { readonly delta?: number } = {}): Operand {
  const distance = abs(sub(prediction, target));
  const near = mul(0.5, square(distance));
  const far = mul(delta, sub(distance, 0.5 * delta));
  return mean(where(less(distance, delta), near, far));
}

/**
 * Hinge loss of scores and labels −1 or 1: the mean of max(0, 1 − label·score).
 *
 * ```ts
 * hinge(tensor([2, 0.5]), tensor([1, -1])).toArray() // => 0.75
 * ```
 */
export const hinge = (score: Operand, label: Operand): Operand => mean(relu(oneMinus(mul(label, score))));

/**
 * How far rules are from being true: 1 less the mean of their soft truth values.
 *
 * ```ts
 * satisfaction(tensor([1, 0.5])).toArray() // => 0.25
 * ```
 */
export const satisfaction = (truth: Operand): Operand => oneMinus(mean(truth));
