/**
 * @file The elements of a tensor of the device: on the device, on the host, or on both.
 */
import { fault } from '../../errors/index.js';
import { allocateArray, type Buffer } from '../../tensor/tensor.js';
import type { ComputedDType, TypedArray } from '../../tensor/dtype.js';
import type { Handle } from './library.js';

/** What lies on the device now, over all backends of a library. */
export interface Live {
  handles: number;
  bytes: number;
}

/** A buffer whose elements may lie on a device. It owns its handle: every other holder only reads it. */
export class DeviceBuffer implements Buffer {
  retired = false;
  readonly dtype: ComputedDType;
  readonly size: number;
  /** Params stay on the device once they are there. */
  isKept = false;
  /** Parts of the elements that joined the others on the device. */
  parts = 0;
  #host: TypedArray | undefined;
  #handle: Handle | undefined;
  #generation = 0;
  #isLost = false;
  readonly #live: Live;

  constructor(dtype: ComputedDType, size: number, live: Live) {
    this.dtype = dtype;
    this.size = size;
    this.#live = live;
  }

  /** @throws EinstreamError E_BACKEND while the elements lie on the device alone, E_BACKEND_LOST once they are lost with it */
  get array(): TypedArray {
    if (this.#host !== undefined) return this.#host;
    this.requireKept();
    if (this.#handle === undefined) return (this.#host = allocateArray(this.size, this.dtype));
    throw fault('E_BACKEND', {
      place: 'gpu',
      rule: 'elements must be fetched from the device before the host reads them',
      hint: 'await backend.device.fetch([tensor])',
    });
  }

  /** @throws EinstreamError E_BACKEND_LOST where the elements went with the device: until others are written they are not zeros */
  requireKept(): void {
    if (!this.#isLost) return;
    throw fault('E_BACKEND_LOST', {
      place: 'gpu',
      rule: 'the device must stay available while a frame computes',
      actual: 'a value was lost with the device',
      hint: 'feed the frame again: params are brought to the new device by themselves',
    });
  }

  get handle(): Handle | undefined {
    return this.#handle;
  }

  get host(): TypedArray | undefined {
    return this.#host;
  }

  /** Changes whenever the elements are given up: what was computed for an earlier one comes too late. */
  get generation(): number {
    return this.#generation;
  }

  /** The elements lie on the device, and on the host no more. */
  hold(handle: Handle): void {
    this.#release();
    this.#host = undefined;
    this.#take(handle);
  }

  /** The device has a copy of what the host has. */
  copy(handle: Handle): void {
    this.#release();
    this.#take(handle);
  }

  /** The host has a copy of what the device has. */
  land(elements: Float32Array): void {
    const host = allocateArray(this.size, this.dtype);
    (host as Float32Array).set(elements); // typed arrays convert by themselves
    this.#host = host;
  }

  /** The host is about to write. */
  open(): void {
    this.#isLost = false;
    this.#release();
    this.#host ??= allocateArray(this.size, this.dtype);
  }

  discard(): void {
    this.#generation++;
    this.#isLost = false;
    this.parts = 0;
    this.#release();
    this.#host = undefined;
  }

  /** The device is gone: its handles mean nothing any more, and what the host has no copy of is lost. */
  forget(): void {
    if (this.#handle === undefined) return;
    this.#release();
    this.#isLost = this.#host === undefined;
  }

  #take(handle: Handle): void {
    this.#isLost = false;
    this.#handle = handle;
    this.#count(1);
  }

  #release(): void {
    if (this.#handle === undefined) return;
    this.#handle.delete();
    this.#handle = undefined;
    this.#count(-1);
  }

  #count(by: 1 | -1): void {
    this.#live.handles += by;
    this.#live.bytes += by * this.size * Float32Array.BYTES_PER_ELEMENT;
  }
}
