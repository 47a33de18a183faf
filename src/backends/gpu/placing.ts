/**
 * @file Where the elements of a result go.
 */
import type { Placement } from '../../codegen/render/gpu/kernel.js';
import type { Tensor } from '../../tensor/tensor.js';

/** For each element of the result its address, from the first. */
export function addressesOf({ extents, strides }: Placement): Int32Array {
  const addresses = new Int32Array(extents.reduce((product, extent) => product * extent, 1));
  addresses.forEach((_, at) => {
    let rest = at;
    for (let axis = extents.length - 1; axis >= 0; axis--) {
      addresses[at] += (rest % extents[axis]) * strides[axis];
      rest = Math.floor(rest / extents[axis]);
    }
  });
  return addresses;
}

/** Writes a result where the output wants it. Typed arrays convert by themselves. */
export function placing(placement: Placement): (result: Float32Array, output: Tensor) => void {
  const { offset, isContiguous } = placement;
  if (isContiguous) return (result, output) => (output.buffer.array as Float32Array).set(result, output.offset + offset);
  const addresses = addressesOf(placement);
  return (result, output) => {
    const target = output.buffer.array as Float32Array;
    const base = output.offset + offset;
    for (let at = 0; at < addresses.length; at++) target[base + addresses[at]] = result[at];
  };
}
