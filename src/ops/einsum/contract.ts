/**
 * @file The meaning of a contraction: one plain nested loop. Everything faster is judged by it.
 *
 * Products are never skipped: 0 × Infinity is NaN and reaches the sum. Sums are taken in float64; int32 results wrap,
 * exactly, at every step. Where nothing is summed the product itself is the result, so that -0 stays -0.
 */
import { fault } from '../../errors/index.js';
import { liveArray, type Tensor } from '../../tensor/tensor.js';
import { walk } from '../evaluate/walk.js';
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
  const extents = loops.map((label) => sizes[label]);
  checkWork(extents);
  const strides = operands.map((labels, i) => stridesOf(labels, tensors[i], loops));
  const terms = summed.reduce((product, label) => product * sizes[label], 1);
  const isWrapped = out.dtype === 'int32';
  const product = isWrapped ? wrappedProduct : plainProduct;
  const data = tensors.map((tensor) => liveArray(tensor) as Float64Array);
  const result = out.buffer.array as Float64Array;
  result.fill(0, out.offset, out.offset + out.size); // a sum of no terms
  const start = summed.length === 0 ? -0 : 0; // −0 leaves a product as it is, −0 included
  let sum = start;
  walk(
    extents,
    strides,
    tensors.map((tensor) => tensor.offset),
    (addresses, position) => {
      const term = position % terms;
      sum = (term === 0 ? start : sum) + product(data, addresses);
      if (isWrapped) sum |= 0;
      if (term === terms - 1) result[out.offset + (position - term) / terms] = sum;
    },
  );
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

/** By loop: how far one step of its label moves in an operand. A diagonal moves along both axes, a stretched axis not at all. */
function stridesOf(labels: readonly number[], { shape, strides }: Tensor, loops: readonly number[]): readonly number[] {
  return loops.map((loop) =>
    labels.reduce((step, label, axis) => (label === loop && shape[axis] !== 1 ? step + strides[axis] : step), 0),
  );
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
