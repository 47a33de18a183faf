/**
 * @file Contractions: einsum and what is built on it.
 */
import { allocateTensor, type Tensor } from '../../tensor/tensor.js';
import { contractNaive } from '../einsum/contract.js';
import type { Contraction } from '../einsum/resolve.js';
import type { Epilogue } from '../op.js';
import { evaluateElementwise } from './elementwise.js';
import type { ComputedTensor, Job } from './job.js';

/** The contraction first, all of it; then, where there is one, the epilogue on its elements. */
export function evaluateContraction(job: Job, contraction: Contraction, epilogue: Epilogue | undefined): Tensor {
  const { inputs, dtype, shape } = job;
  if (epilogue === undefined) return contracted(contraction, inputs, dtype, shape);
  const { sizes, output } = contraction;
  const operands = epilogue.contracted.map((position) => inputs[position]);
  const sums = contracted(contraction, operands, epilogue.dtype, output.map((label) => sizes[label])); // prettier-ignore
  const further = epilogue.further.map((position) => inputs[position]);
  return evaluateElementwise({ ...job, inputs: [sums, ...further] }, (sum, ...terms) => epilogue.value(sum, terms));
}

function contracted(contraction: Contraction, inputs: Job['inputs'], dtype: Job['dtype'], shape: Job['shape']): ComputedTensor {
  const output = allocateTensor(shape, dtype);
  contractNaive(contraction, inputs, output);
  return output as ComputedTensor;
}
