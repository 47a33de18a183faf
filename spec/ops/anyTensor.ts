/**
 * @file Generators of shapes and tensors: rank 0 to 4, sizes 0 to 4, and layouts that are not row-major.
 */
import fc from 'fast-check';
import { flip, transpose } from '../../src/ops/index.js';
import { tensorOver, type Tensor } from '../../src/tensor/tensor.js';
import { numElements, type Shape } from '../../src/tensor/shape.js';

export const anyShape = (options: { minRank?: number; minSize?: number } = {}): fc.Arbitrary<Shape> =>
  fc.array(fc.integer({ min: options.minSize ?? 0, max: 4 }), { minLength: options.minRank ?? 0, maxLength: 4 });

/** Small multiples of a half, so that sums and products of a few are exact; sometimes NaN. */
export const anyNumber = fc.oneof(
  { arbitrary: fc.integer({ min: -6, max: 6 }).map((n) => n / 2), weight: 20 },
  { arbitrary: fc.constantFrom(NaN, Infinity, -Infinity), weight: 1 },
);

const filled = (shape: Shape, values: readonly number[]): Tensor => tensorOver(Float64Array.from(values), 'float64', shape);

/** Tensors of a shape that lie in memory as they come, transposed, or backwards: always the elements that `toArray` says. */
export const tensorOfShape = (shape: Shape): fc.Arbitrary<Tensor> => {
  const count = numElements(shape);
  const values = fc.array(anyNumber, { minLength: count, maxLength: count });
  return fc.tuple(values, fc.constantFrom('plain', 'transposed', 'flipped')).map(([elements, layout]) => {
    if (layout === 'transposed') return transpose(filled([...shape].reverse(), elements));
    return layout === 'flipped' ? flip(filled(shape, elements)) : filled(shape, elements);
  });
};

export const anyTensor = (options: { minRank?: number; minSize?: number } = {}): fc.Arbitrary<Tensor> =>
  anyShape(options).chain(tensorOfShape);

/** Some of the axes of a rank in any order, some counted from the end. */
export const someAxes = (rank: number): fc.Arbitrary<readonly number[]> =>
  fc
    .shuffledSubarray(Array.from({ length: rank }, (_, axis) => axis))
    .chain((axes) => fc.tuple(...axes.map((axis) => fc.constantFrom(axis, axis - rank))));

/** Every index of a shape, row-major. */
export function indicesOf(shape: Shape): readonly (readonly number[])[] {
  return shape.reduce<readonly (readonly number[])[]>(
    (all, size) => all.flatMap((index) => Array.from({ length: size }, (_, i) => [...index, i])),
    [[]],
  );
}

/** The element at an index, read by address. */
export const elementAt = (t: Tensor, index: readonly number[]): number =>
  Number(t.buffer.array[index.reduce((address, i, axis) => address + i * t.strides[axis], t.offset)]);
