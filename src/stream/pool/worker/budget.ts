/**
 * @file The bytes that a run takes are known before any are allocated: what is too much is refused.
 *
 * A thread's `resourceLimits` bound its heap, but elements of typed arrays lie outside it.
 */
import { fault, humanBytes } from '../../../errors/index.js';
import { fits, type Program } from '../../../run/program.js';
import type { Prepared } from '../../../run/prepare.js';
import { specialize } from '../../../run/specialize.js';
import { typed } from '../../../run/typed.js';
import { byteSize, type DType } from '../../../tensor/dtype.js';
import { numElements, type Shape } from '../../../tensor/shape.js';
import type { Tensor } from '../../../tensor/tensor.js';

const bytesOf = ({ shape, dtype }: { readonly shape: Shape; readonly dtype: DType }): number =>
  numElements(shape) * byteSize(dtype);
const total = (held: readonly { readonly shape: Shape; readonly dtype: DType }[]): number =>
  held.reduce((bytes, each) => bytes + bytesOf(each), 0);

/**
 * Checks feeds against a budget; feeds of the same types as before cost a comparison.
 *
 * @throws EinstreamError E_OOM when feeds, intermediate values and outputs of a run are more than `allowed` bytes together
 */
export function budget(prepared: Prepared, allowed: number): (tensors: readonly Tensor[]) => void {
  let approved: Program | undefined;
  return (tensors) => {
    if (approved !== undefined && fits(approved, tensors)) return;
    const fed = total(tensors);
    // Compiling allocates what lies between the kernels of one node, so each node by itself comes first.
    for (const { work, result } of typed(prepared, prepared, tensors).works)
      if (work.kind !== 'view') requireRoom(fed + bytesOf(result) + total(work.temporaries), allowed);
    const program = specialize(prepared, tensors);
    const outputs = program.prepared.outputs.map(({ slot }) => program.types[slot]);
    requireRoom(fed + program.arenas.bytes + total(outputs), allowed);
    approved = program;
  };
}

function requireRoom(needed: number, allowed: number): void {
  if (needed <= allowed) return;
  throw fault('E_OOM', {
    place: 'memoryMb',
    rule: 'the tensors of one run must fit into the memory that a worker may use',
    expected: `at most ${humanBytes(allowed)}`,
    actual: humanBytes(needed),
    hint: 'raise memoryMb, or use smaller batches',
  });
}
