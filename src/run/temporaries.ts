/**
 * @file Memory between the kernels of one node: made at the first use, then reused, as the steps of a node run through.
 */
import type { Backend } from '../backends/index.js';
import type { Work } from '../codegen/lower.js';
import type { Tensor } from '../tensor/tensor.js';

export function temporaryTensors(work: Work, backend: Backend): () => readonly Tensor[] {
  let tensors: readonly Tensor[] | undefined;
  return () => (tensors ??= work.temporaries.map(({ shape, dtype }) => backend.allocate(shape, dtype)));
}
