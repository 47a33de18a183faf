/**
 * @file Emission: a finished frame becomes outputs by name, and its arena goes home.
 */
import { Observable, type OperatorFunction, type Subscriber } from 'rxjs';
import { hostCopy } from '../tensor/host-copy.js';
import { Tensor } from '../tensor/tensor.js';
import { fault, type EinstreamError } from '../errors/index.js';
import { endWith, tearDown, teller } from './ending.js';
import type { Outputs } from './feeds.js';
import type { Frame } from './frame.js';
import { inFlight, type InFlight } from './in-flight.js';
import { listener } from './link.js';
import type { Prepared } from './prepare.js';
import { serial } from './serial.js';
import { wire } from './wiring.js';

/** Outputs that the consumer may keep. A value that was made for this frame alone is handed over without a copy. */
export function copiedOutputs(frame: Frame): Outputs {
  const { prepared, homes, fresh } = frame.program;
  const result = Object.create(null) as Record<string, Tensor>;
  for (const { key, slot } of prepared.outputs) {
    const value = valueIn(frame, slot, key);
    // A slot may be an output twice; the second time its tensor belongs to the consumer already, and is immutable.
    result[key] = fresh[slot] === 1 && homes[slot] === slot ? value : hostCopy(value);
  }
  return result;
}

/** Outputs in the frame's own memory, and what makes them stale. */
export function borrowedOutputs(frame: Frame): { readonly outputs: Outputs; readonly retire: () => void } {
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
  throw fault('E_STALE', {
    place: key,
    rule: 'a frame is emitted once, after all its steps have run',
    hint: 'middleware must pass on each frame once, as its step gave it',
  });
}

/** What `emit` tells of each subscription. */
export interface Emission {
  /** What is on its way gives its arenas back when all is torn down. */
  readonly flights?: InFlight;
  /** Called with outputs before they leave. */
  readonly emitted?: (frame: Frame, outputs: Outputs) => void;
  /** Called with the error that is about to leave. */
  readonly failed?: (error: unknown) => void;
  /** Hears of a teardown that failed when no stream could carry it: after unsubscribing, or after an error of the source. */
  readonly tell?: (failure: EinstreamError) => void;
}

/** The end of a run: outputs out, one at a time, and arenas back. All above is torn down before a terminal signal leaves. */
export function emit(
  prepared: Prepared,
  { flights, emitted, failed, tell = teller(undefined) }: Emission = {},
): OperatorFunction<Frame, Outputs> {
  const send = prepared.borrows ? lend : handOver;
  return (frames$) =>
    new Observable((subscriber) => {
      const own = flights ?? inFlight();
      // A step that subscribes again, in a pipe put together by hand, brings frames that are noted elsewhere.
      const noted = new Set([own]);
      const stop = (): EinstreamError | undefined => {
        const failure = tearDown(above);
        for (const each of noted) each.clear();
        return failure;
      };
      const fail = (error: unknown): void => {
        const end = endWith(error, stop(), tell);
        failed?.(end);
        subscriber.error(end);
      };
      const above = listener(
        serial<Frame>({
          next(frame) {
            if (subscriber.closed) return;
            if (frame.flights !== own && frame.flights !== undefined) noted.add(frame.flights);
            try {
              send(frame, subscriber, emitted);
            } catch (error) {
              fail(error);
            }
          },
          error: fail,
          complete() {
            const failure = stop();
            if (failure === undefined) subscriber.complete();
            else fail(failure);
          },
        }),
      );
      subscriber.add(() => {
        const failure = stop();
        if (failure !== undefined) tell(failure);
      });
      wire(own, () => void frames$.subscribe(above));
    });
}

type Send = (frame: Frame, subscriber: Subscriber<Outputs>, emitted: Emission['emitted']) => void;

const handOver: Send = (frame, subscriber, emitted) => {
  const outputs = copiedOutputs(frame);
  frame.program.arenas.giveBack(frame.lease);
  frame.flights?.remove(frame);
  emitted?.(frame, outputs);
  subscriber.next(outputs);
};

const lend: Send = (frame, subscriber, emitted) => {
  const { outputs, retire } = borrowedOutputs(frame);
  // It has left before the consumer may unsubscribe: the arena is given back here, after the consumer has read.
  frame.flights?.remove(frame);
  try {
    emitted?.(frame, outputs);
    subscriber.next(outputs);
  } finally {
    retire();
    frame.program.arenas.giveBack(frame.lease);
  }
};
