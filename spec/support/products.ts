/**
 * @file Sums of products for renderers: an einsum of two operands as a nest, its float64 meaning, and what rounding may change.
 */
import { interpret } from '../../src/codegen/interpret.js';
import type { NestIR } from '../../src/codegen/ir.js';
import { lowerStep } from '../../src/codegen/lower/contraction.js';
import { parseEinsum } from '../../src/ops/einsum/parse.js';
import { resolveEinsum } from '../../src/ops/einsum/resolve.js';
import type { ComputedDType } from '../../src/tensor/dtype.js';
import { rowMajorStrides, type Shape } from '../../src/tensor/shape.js';
import { Tensor } from '../../src/tensor/tensor.js';

/** A tensor of these elements, row-major, with room of `NaN`-free filler around it. */
export function tensorOf(shape: Shape, valueAt: (position: number) => number, dtype: ComputedDType = 'float32'): Tensor {
  const size = shape.reduce((product, each) => product * each, 1);
  const array = Float32Array.from({ length: size }, (_, i) => valueAt(i));
  const own = dtype === 'float32' ? array : dtype === 'float64' ? Float64Array.from(array) : Uint8Array.from(array);
  return new Tensor(dtype, shape, rowMajorStrides(shape), 0, size, { array: own, retired: false });
}

/** Pseudo-random numbers in [−1, 1), the same for the same seed. */
export function noise(seed: number): (position: number) => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state / 4294967296 - 0.5) * 2;
  };
}

export interface SumOfProducts {
  readonly ir: NestIR;
  readonly output: Shape;
  /** Products in each sum. */
  readonly count: number;
}

/** The nest of an einsum whose path is one step. */
export function sumOfProducts(spec: string, inputs: readonly Tensor[], dtype: ComputedDType = 'float32'): SumOfProducts {
  const { contraction } = resolveEinsum(parseEinsum(spec), inputs.map(({ shape }) => shape)); // prettier-ignore
  if (contraction === undefined) throw new Error(`"${spec}" is no contraction`);
  const typed = inputs.map((tensor) => ({ dtype: tensor.dtype as ComputedDType, shape: tensor.shape, strides: tensor.strides }));
  const ir = lowerStep(contraction, typed, dtype);
  const count = ir.extents.slice(ir.outer).reduce((product, extent) => product * extent, 1);
  return { ir, output: contraction.output.map((label) => contraction.sizes[label]), count };
}

/** Elements that the nest gives in float64, row-major. */
export function exactly(ir: NestIR, inputs: readonly Tensor[], output: Shape): ArrayLike<number> {
  const result = tensorOf(output, () => 0, 'float64');
  interpret({ ...ir, output: { ...ir.output, dtype: 'float64' } })(inputs, [result]);
  return result.buffer.array as Float64Array;
}

/** The same tensor without signs: sums of it are what rounding errors are measured by. */
export const magnitudes = (tensor: Tensor): Tensor =>
  new Tensor(tensor.dtype, tensor.shape, tensor.strides, tensor.offset, tensor.size, {
    array: (tensor.buffer.array as Float32Array).map(Math.abs),
    retired: false,
  });
