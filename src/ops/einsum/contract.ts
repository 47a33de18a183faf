/**
 * @file The meaning of a contraction: one plain nested loop. Everything faster is judged by it.
 *
 * Products are never skipped: 0 × Infinity is NaN and reaches the sum. Sums are taken in float64; int32 results wrap,
 * exactly, at every step. Where nothing is summed the product itself is the result, so that -0 stays -0.
 */
import { fault } from '../../errors/index.js';
import { rowMajorStrides, type Shape } from '../../tensor/shape.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { Contraction } from './resolve.js';

/** Most products that the plain loop takes on: about half an hour of work. */
const MAX_PRODUCTS = 2 ** 36;

/**
 * Evaluates `contraction` of `tensors` into `out`, which is contiguous and of the output's shape.
 *
 * @throws EinstreamError E_LIMIT above 2^36 products, E_STALE for a tensor whose frame has ended
 */
export function contractNaive(contraction: Contraction, tensors: readonly Tensor[], out: Tensor): void {
  const { sizes, operands, output } = contraction;
  const summed = [...new Set(operands.flat())].filter((label) => !output.includes(label));
  const loops = [...output, ...summed];
  checkWork(loops.map((label) => sizes[label]));
  const walk = odometer(
    loops.map((label) => sizes[label]),
    operands.map((labels, i) => stridesOf(labels, tensors[i].shape, loops)),
  );
  const inner = summed.reduce((product, label) => product * sizes[label], 1);
  const term = out.dtype === 'int32' ? wrappedProduct : plainProduct;
  const data = tensors.map((tensor) => tensor.data as Float64Array);
  const result = out.buffer.array as Float64Array;
  for (let at = 0; at < out.size; at++) {
    if (summed.length === 0) {
      result[out.offset + at] = term(data, walk.addresses);
      walk.next();
      continue;
    }
    let sum = 0;
    for (let k = 0; k < inner; k++) {
      sum += term(data, walk.addresses);
      if (out.dtype === 'int32') sum |= 0;
      walk.next();
    }
    result[out.offset + at] = sum;
  }
}

function plainProduct(data: readonly Float64Array[], addresses: readonly number[]): number {
  let product = data[0][addresses[0]];
  for (let i = 1; i < data.length; i++) product *= data[i][addresses[i]];
  return product;
}

function wrappedProduct(data: readonly Float64Array[], addresses: readonly number[]): number {
  let product = data[0][addresses[0]] | 0;
  for (let i = 1; i < data.length; i++) product = Math.imul(product, data[i][addresses[i]]);
  return product;
}

/** By loop: how far one step of its label moves in a row-major operand. A diagonal moves along both axes, a stretched axis not at all. */
function stridesOf(labels: readonly number[], shape: Shape, loops: readonly number[]): readonly number[] {
  const strides = rowMajorStrides(shape);
  return loops.map((loop) =>
    labels.reduce((step, label, axis) => (label === loop && shape[axis] !== 1 ? step + strides[axis] : step), 0),
  );
}

/** All indices in row-major order, as one address an operand; after the last it stands at the first again. */
function odometer(
  sizes: readonly number[],
  strides: readonly (readonly number[])[],
): { readonly addresses: readonly number[]; next(): void } {
  const index = sizes.map(() => 0);
  const addresses = strides.map(() => 0);
  const move = (loop: number, steps: number): void => {
    for (let i = 0; i < addresses.length; i++) addresses[i] += strides[i][loop] * steps;
  };
  return {
    addresses,
    next() {
      for (let loop = sizes.length - 1; loop >= 0; loop--) {
        move(loop, 1);
        if (++index[loop] < sizes[loop]) return;
        move(loop, -sizes[loop]);
        index[loop] = 0;
      }
    },
  };
}

function checkWork(sizes: readonly number[]): void {
  if (sizes.includes(0)) return;
  const products = sizes.reduce((product, size) => product * size, 1);
  if (products <= MAX_PRODUCTS) return;
  throw fault('E_LIMIT', {
    op: 'einsum',
    rule: 'the plain loop takes a bounded number of products',
    expected: `at most ${MAX_PRODUCTS}`,
    actual: String(products),
    hint: 'contract pair by pair, along a contraction path',
  });
}
