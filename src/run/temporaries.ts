/**
 * @file Memory between the kernels of one node: made with them, then reused, as the steps of a node run through.
 */
import type { Backend } from '../backends/index.js';
import type { Work } from '../codegen/lower.js';
import type { Tensor } from '../tensor/tensor.js';
import { withRoom } from './room.js';

/** @param made also gets each tensor, so that whoever owns the node can free it */
export const temporaryTensors = ({ temporaries }: Work, backend: Backend, made: Tensor[]): readonly Tensor[] =>
  temporaries.map(({ shape, dtype }) => {
    const tensor = withRoom(backend, () => backend.allocate(shape, dtype));
    made.push(tensor);
    return tensor;
  });
