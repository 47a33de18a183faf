/**
 * @file Memory between the kernels of one node: made at the first use, then reused, as the steps of a node run through.
 */
import type { Backend } from '../backends/index.js';
import type { Work } from '../codegen/lower.js';
import type { Tensor } from '../tensor/tensor.js';
import { withRoom } from './room.js';

/** @param made also gets each tensor, so that whoever owns the node can free it */
export function temporaryTensors(work: Work, backend: Backend, made: Tensor[]): () => readonly Tensor[] {
  let tensors: readonly Tensor[] | undefined;
  const allocate = ({ shape, dtype }: Work['temporaries'][number]): Tensor => {
    const tensor = withRoom(backend, () => backend.allocate(shape, dtype));
    made.push(tensor);
    return tensor;
  };
  return () => (tensors ??= work.temporaries.map(allocate));
}
