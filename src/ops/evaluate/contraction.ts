/**
 * @file Contractions: einsum and what is built on it.
 */
import { allocateTensor, type Tensor } from '../../tensor/tensor.js';
import { contractNaive } from '../einsum/contract.js';
import type { Contraction } from '../einsum/resolve.js';
import type { Job } from './job.js';

export function evaluateContraction({ inputs, dtype, shape }: Job, contraction: Contraction): Tensor {
  const output = allocateTensor(shape, dtype);
  contractNaive(contraction, inputs, output);
  return output;
}
