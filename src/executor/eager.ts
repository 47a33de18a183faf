/**
 * @file The seed's names for ops on variables: the ops themselves.
 */
import { add, mul, sub } from '../ops/binary/index.js';
import { einsum } from '../ops/einsum/index.js';
import { max, mean, sum } from '../ops/reduce/index.js';
import { oneMinus, relu, sigmoid } from '../ops/unary/index.js';

/** Ops on variables (and on tensors and symbols) under the seed's names. They compute at once, and are recorded. */
export const EAGER = {
  eager_add: add,
  eager_sub: sub,
  eager_mul: mul,
  eager_relu: relu,
  eager_sigmoid: sigmoid,
  eager_one_minus: oneMinus,
  eager_sum: sum,
  eager_mean: mean,
  eager_max: max,
  eager_einsum: einsum,
} as const;
