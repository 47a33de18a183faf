/**
 * @file A naive model of tensors for property tests: a shape and the values in row-major order, every view a copy.
 */
import type { Tensor } from '../../src/tensor/tensor.js';

export interface Model {
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

export const count = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);

/** Every index of a shape, in row-major order. */
export const indices = (shape: readonly number[]): number[][] =>
  shape.reduce<number[][]>((lists, size) => lists.flatMap((list) => Array.from({ length: size }, (_, i) => [...list, i])), [[]]);

export const valueAt = ({ shape, values }: Model, index: readonly number[]): number =>
  values[index.reduce((at, i, axis) => at * shape[axis] + i, 0)];

/** A model by its shape, and from where each element comes. */
export const gather = (
  source: Model,
  shape: readonly number[],
  from: (index: readonly number[]) => readonly number[],
): Model => ({
  shape,
  values: indices(shape).map((index) => valueAt(source, from(index))),
});

/** The places that Python's `start:stop:step` takes from `size`, by walking. */
export function places(size: number, start: number | null, stop: number | null, step: number): number[] {
  const fromEnd = (end: number): number => (end < 0 ? end + size : end);
  const taken: number[] = [];
  if (step > 0) {
    const limit = stop === null ? size : Math.min(fromEnd(stop), size);
    for (let i = start === null ? 0 : Math.max(fromEnd(start), 0); i < limit; i += step) taken.push(i);
  } else {
    const limit = stop === null ? -1 : Math.max(fromEnd(stop), -1);
    for (let i = start === null ? size - 1 : Math.min(fromEnd(start), size - 1); i > limit; i += step) taken.push(i);
  }
  return taken;
}

/** The address of every element of a tensor, in row-major order, from the definition. */
export const addresses = ({ shape, strides, offset }: Tensor): number[] =>
  indices(shape).map((index) => index.reduce((address, i, axis) => address + i * strides[axis], offset));
