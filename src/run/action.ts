/**
 * @file An action: what one node does to a frame in one program. It writes its own slot and nothing else.
 */
import type { Kernel } from '../backends/index.js';
import type { Backend } from '../backends/index.js';
import type { Place, Work } from '../codegen/lower.js';
import type { Layout } from '../tensor/layout.js';
import { Tensor } from '../tensor/tensor.js';
import type { Frame } from './frame.js';
import { temporaryTensors } from './temporaries.js';

export type Action = (frame: Frame) => void | Promise<void>;

/** The input seen through a layout: no element moves. */
export const viewAction =
  (from: number, slot: number, layout: Layout, size: number): Action =>
  ({ values }) => {
    const input = values[from]!;
    values[slot] = new Tensor(input.dtype, layout.shape, layout.strides, input.offset + layout.offset, size, input.buffer);
  };

export function kernelAction(work: Work, kernels: readonly Kernel[], inputs: readonly number[], slot: number, backend: Backend): Action {
  if (backend.capabilities.asynchronous) return sequence(work, kernels, inputs, slot, backend);
  const [only] = work.calls;
  const isPlain = work.calls.length === 1 && only!.output.of === 'output' && only!.inputs.every((place, k) => place.of === 'input' && place.index === k);
  return isPlain ? single(kernels[0]!, inputs, slot) : several(work, kernels, inputs, slot, backend);
}

/** The common case: one kernel, its arguments gathered in arrays that are reused, as nothing can come between. */
function single(kernel: Kernel, inputs: readonly number[], slot: number): Action {
  const count = inputs.length;
  const args = new Array<Tensor>(count);
  const results = new Array<Tensor>(1);
  return ({ values, lease }) => {
    for (let k = 0; k < count; k++) args[k] = values[inputs[k]!]!;
    const result = lease.take(slot);
    results[0] = result;
    void kernel.run(args, results);
    values[slot] = result;
  };
}

const resolve = (place: Place, frame: Frame, inputs: readonly number[], temporaries: readonly Tensor[], result: Tensor): Tensor =>
  place.of === 'output' ? result : place.of === 'input' ? frame.values[inputs[place.index]!]! : temporaries[place.index]!;

function several(work: Work, kernels: readonly Kernel[], inputs: readonly number[], slot: number, backend: Backend): Action {
  const temporaries = temporaryTensors(work, backend);
  return (frame) => {
    const result = frame.lease.take(slot);
    const spare = temporaries();
    work.calls.forEach((call, at) => {
      void kernels[at]!.run(
        call.inputs.map((place) => resolve(place, frame, inputs, spare, result)),
        [resolve(call.output, frame, inputs, spare, result)],
      );
    });
    frame.values[slot] = result;
  };
}

/** Several frames may be in this step at once, so each call has arguments of its own. */
function sequence(work: Work, kernels: readonly Kernel[], inputs: readonly number[], slot: number, backend: Backend): Action {
  return async (frame) => {
    const result = frame.lease.take(slot);
    const spare = work.temporaries.map(({ shape, dtype }) => backend.allocate(shape, dtype));
    for (const [at, call] of work.calls.entries()) {
      await kernels[at]!.run(
        call.inputs.map((place) => resolve(place, frame, inputs, spare, result)),
        [resolve(call.output, frame, inputs, spare, result)],
      );
    }
    frame.values[slot] = result;
  };
}
