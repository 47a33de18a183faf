/**
 * @file Emission: a finished frame becomes outputs by name, and its arena goes home.
 */
import { Observable, type OperatorFunction } from 'rxjs';
import { copyElements, Tensor } from '../tensor/tensor.js';
import { fault } from '../errors/index.js';
import type { Outputs } from './feeds.js';
import type { Frame } from './frame.js';
import { link } from './link.js';
import type { Prepared } from './prepare.js';

/** Outputs that the consumer may keep. A value that was made for this frame alone is handed over without a copy. */
export function copiedOutputs(frame: Frame): Outputs {
  const { prepared, homes, fresh } = frame.program;
  const result = Object.create(null) as Record<string, Tensor>;
  for (const { key, slot } of prepared.outputs) {
    const value = valueIn(frame, slot, key);
    // A slot may be an output twice; the second time its tensor belongs to the consumer already, and is immutable.
    result[key] = fresh[slot] === 1 && homes[slot] === slot ? value : copyOf(prepared, value);
  }
  return result;
}

function copyOf({ backend }: Prepared, value: Tensor): Tensor {
  const copy = backend.allocate(value.shape, value.dtype);
  copyElements(value, copy.buffer.array);
  return copy;
}

/** Outputs in the frame's own memory, and what makes them stale. */
function borrowedOutputs(frame: Frame): { readonly outputs: Outputs; readonly retire: () => void } {
  const result = Object.create(null) as Record<string, Tensor>;
  const handles: Tensor[] = [];
  for (const { key, slot } of frame.program.prepared.outputs) {
    const { dtype, shape, strides, offset, size, buffer } = valueIn(frame, slot, key);
    const handle = new Tensor(dtype, shape, strides, offset, size, { array: buffer.array, retired: false });
    handles.push(handle);
    result[key] = handle;
  }
  return {
    outputs: result,
    retire() {
      for (const { buffer } of handles) buffer.retired = true;
    },
  };
}

function valueIn(frame: Frame, slot: number, key: string): Tensor {
  const value = frame.values[slot];
  if (frame.lease.holder === frame && value !== undefined) return value;
  throw fault('E_STALE', { place: key, rule: 'a frame is emitted once, after all its steps have run', hint: 'middleware must pass on each frame once, as its step gave it' });
}

/** The end of a run: outputs out, arenas back. */
export function emit(prepared: Prepared, finished?: (frame: Frame, outputs: Outputs) => void): OperatorFunction<Frame, Outputs> {
  return (frames$) =>
    new Observable((subscriber) => {
      const next = (frame: Frame): void => {
        if (!prepared.borrows) {
          const outputs = copiedOutputs(frame);
          frame.program.arenas.giveBack(frame.lease);
          finished?.(frame, outputs);
          subscriber.next(outputs);
          return;
        }
        const { outputs, retire } = borrowedOutputs(frame);
        finished?.(frame, outputs);
        try {
          subscriber.next(outputs);
        } finally {
          retire();
          frame.program.arenas.giveBack(frame.lease);
        }
      };
      link(frames$, subscriber, {
        next(frame) {
          try {
            next(frame);
          } catch (error) {
            subscriber.error(error);
          }
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => subscriber.complete(),
      });
    });
}
