/**
 * @file Inputs whose contents stay as they are from run to run, and the guard of code that counts on it.
 *
 * A backend may lend the same tensor with other elements for each frame, so that bits are compared, and not who holds them; a param
 * that nobody feeds has the one value of its graph. What is large is not looked at.
 */
import { byteSize, isComputed } from '../../tensor/dtype.js';
import { liveArray, packed, tensorOver, type Tensor } from '../../tensor/tensor.js';
import type { PreparedInput } from '../prepare.js';
import { sameBytes } from './same-bytes.js';

/** Bytes of one input, and of all those of a path: a few microseconds to compare. */
const MOST_BYTES = 2 ** 16;
const MOST_OF_ALL = 2 ** 18;

/** An input that has not changed since it was looked at first. */
export interface Steady {
  /** Its place among the inputs. */
  readonly at: number;
  /** A copy, or the param's own. */
  readonly value: Tensor;
  /** Those of a copy; undefined for a param's own value. */
  readonly bytes: Uint8Array | undefined;
}

/** The inputs that can be looked at, as they are now. @param varying places of those that are known to change */
export function steadyInputs(
  tensors: readonly Tensor[],
  inputs: readonly PreparedInput[],
  varying: ReadonlySet<number>,
): readonly Steady[] {
  const found: Steady[] = [];
  let room = MOST_OF_ALL;
  tensors.forEach((tensor, at) => {
    if (varying.has(at)) return;
    const count = tensor.size * byteSize(tensor.dtype);
    if (tensor === inputs[at].value) found.push({ at, value: tensor, bytes: undefined });
    else if (count > 0 && count <= Math.min(MOST_BYTES, room) && isComputed(tensor.dtype) && tensor.isContiguous) {
      room -= count;
      const value = tensorOver(packed(tensor), tensor.dtype, tensor.shape);
      found.push({ at, value, bytes: bytesOf(value) });
    }
  });
  return found;
}

/** Whether it is what it was. Of the same type it is: paths are told apart by type. */
export function isSteady({ at, value, bytes }: Steady, tensors: readonly Tensor[]): boolean {
  const tensor = tensors[at];
  return bytes === undefined ? tensor === value : sameBytes(bytes, bytesOf(tensor));
}

export function areSteady(inputs: readonly Steady[], tensors: readonly Tensor[]): boolean {
  for (let k = 0; k < inputs.length; k++) if (!isSteady(inputs[k], tensors)) return false;
  return true;
}

/** Those that still are. The same list where all are: mostly nothing changes. */
export const stillSteady = (inputs: readonly Steady[], tensors: readonly Tensor[]): readonly Steady[] =>
  areSteady(inputs, tensors) ? inputs : inputs.filter((input) => isSteady(input, tensors));

/** That are held to compare with. */
export const copiedBytes = (inputs: readonly Steady[]): number =>
  inputs.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0);

function bytesOf(tensor: Tensor): Uint8Array {
  const { BYTES_PER_ELEMENT: width, buffer, byteOffset } = liveArray(tensor);
  return new Uint8Array(buffer, byteOffset + tensor.offset * width, tensor.size * width);
}
