/**
 * @file What an executor gives: a graph's outputs in their order, and by name.
 */
import type { Names } from '../graph/graph.js';
import type { Outputs } from '../run/index.js';
import type { Tensor } from '../tensor/tensor.js';

/** A graph's outputs in their order, and by name. */
export type Execution<O extends Names = Names> = readonly Tensor[] & { readonly byName: Outputs<O> };

export const resultOf = <O extends Names>(outputs: Outputs<O>): Execution<O> =>
  Object.freeze(Object.assign(Object.values<Tensor>(outputs), { byName: outputs }));
