/**
 * @file An action: what one node does to a frame in one program. It writes its own slot and nothing else.
 */
import type { Backend, Kernel } from '../backends/index.js';
import type { Place, Seen, Work } from '../codegen/lower.js';
import type { Layout } from '../tensor/layout.js';
import { numElements } from '../tensor/shape.js';
import { Tensor } from '../tensor/tensor.js';
import type { Frame } from './frame.js';
import { temporaryTensors } from './temporaries.js';

export type Action = (frame: Frame) => void | Promise<void>;

/**
 * Makes the actions of one program for a backend.
 *
 * @param temporaries gets the tensors between kernels of one node
 * @param read 1 for slots whose elements the host reads: they come from the device as soon as they are there
 */
export function actions(
  backend: Backend,
  temporaries: Tensor[],
  read: Uint8Array,
): (work: Work | Seen, kernels: readonly Kernel[], inputs: readonly number[], slot: number) => Action {
  // Kernels that answer at once never overlap, so all nodes with as many operands gather them in one array.
  const argumentsOf = new Map<number, Tensor[]>();
  const results = new Array<Tensor>(1);
  return (work, kernels, inputs, slot) => {
    if (work.kind === 'view') return viewAction(inputs[0], slot, work.layout);
    if (backend.capabilities.asynchronous) return sequence(work, kernels, inputs, slot, backend, read);
    if (!isPlain(work, inputs.length)) return several(work, kernels, inputs, slot, temporaryTensors(work, backend, temporaries));
    let args = argumentsOf.get(inputs.length);
    if (args === undefined) argumentsOf.set(inputs.length, (args = new Array<Tensor>(inputs.length)));
    return single(kernels[0], inputs, slot, args, results);
  };
}

/** The input seen through a layout: no element moves. */
const viewAction = (from: number, slot: number, layout: Layout): Action => {
  const size = numElements(layout.shape);
  return ({ values }) => {
    const input = values[from]!;
    values[slot] = new Tensor(input.dtype, layout.shape, layout.strides, input.offset + layout.offset, size, input.buffer);
  };
};

/** One kernel that reads all operands in order and writes the result. */
function isPlain({ calls }: Work, count: number): boolean {
  const [only] = calls;
  return (
    calls.length === 1 &&
    only.output.of === 'output' &&
    only.inputs.length === count &&
    only.inputs.every((place, k) => place.of === 'input' && place.index === k)
  );
}

/** The common case. */
function single(kernel: Kernel, inputs: readonly number[], slot: number, args: Tensor[], results: Tensor[]): Action {
  const count = inputs.length;
  if (count === 1) {
    const [from] = inputs;
    return ({ values, lease }) => {
      args[0] = values[from]!;
      const result = (results[0] = lease.take(slot));
      void kernel.run(args, results);
      values[slot] = result;
    };
  }
  return ({ values, lease }) => {
    for (let k = 0; k < count; k++) args[k] = values[inputs[k]]!;
    const result = (results[0] = lease.take(slot));
    void kernel.run(args, results);
    values[slot] = result;
  };
}

const resolve = (
  place: Place,
  frame: Frame,
  inputs: readonly number[],
  temporaries: readonly Tensor[],
  result: Tensor,
): Tensor =>
  place.of === 'output' ? result : place.of === 'input' ? frame.values[inputs[place.index]]! : temporaries[place.index];

function several(
  work: Work,
  kernels: readonly Kernel[],
  inputs: readonly number[],
  slot: number,
  spare: readonly Tensor[],
): Action {
  return (frame) => {
    const result = frame.lease.take(slot);
    work.calls.forEach((call, at) => {
      void kernels[at].run(
        call.inputs.map((place) => resolve(place, frame, inputs, spare, result)),
        [resolve(call.output, frame, inputs, spare, result)],
      );
    });
    frame.values[slot] = result;
  };
}

/** Several frames may be in this step at once, so each call has arguments of its own. */
function sequence(
  work: Work,
  kernels: readonly Kernel[],
  inputs: readonly number[],
  slot: number,
  backend: Backend,
  read: Uint8Array,
): Action {
  return async (frame) => {
    const result = frame.lease.take(slot);
    const { notes } = frame.program;
    const noted = notes.length;
    const spare = work.temporaries.map(({ shape, dtype }) => backend.allocate(shape, dtype));
    try {
      for (const [at, call] of work.calls.entries()) {
        await kernels[at].run(
          call.inputs.map((place) => resolve(place, frame, inputs, spare, result)),
          [resolve(call.output, frame, inputs, spare, result)],
        );
      }
    } finally {
      if (backend.device !== undefined) for (const tensor of spare) backend.device.discard(tensor);
    }
    if (notes.length > noted) frame.noted?.(frame.program);
    if (read[slot] === 1) await backend.device?.fetch([result]);
    frame.values[slot] = result;
  };
}
