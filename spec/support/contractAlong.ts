/**
 * @file Executes a contraction pair by pair along a path, each step by the plain loop.
 */
import { contractNaive } from '../../src/ops/einsum/contract.js';
import type { Contraction } from '../../src/ops/einsum/resolve.js';
import { contractionPath, pairwise, type PathOptions } from '../../src/plan/path/index.js';
import type { ComputedDType } from '../../src/tensor/dtype.js';
import { allocateTensor, type Tensor } from '../../src/tensor/tensor.js';

/** The result, and every intermediate before it, in `dtype`. */
export function contractAlong(
  contraction: Contraction,
  tensors: readonly Tensor[],
  dtype: ComputedDType,
  options?: PathOptions,
): Tensor {
  const slots = [...tensors];
  for (const step of pairwise(contraction, contractionPath(contraction, options))) {
    const out = allocateTensor(step.shape, dtype);
    contractNaive(
      step.contraction,
      step.inputs.map((slot) => slots[slot]),
      out,
    );
    slots.push(out);
  }
  return slots.at(-1)!;
}
