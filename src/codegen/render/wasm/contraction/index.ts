/**
 * @file Sums of products of two float32 operands as WebAssembly: which kernel, by structure and size.
 */
import type { NestIR } from '../../../ir.js';
import type { Target, WasmKernel } from '../kernel.js';
import { direct, isDirect } from './direct.js';
import { dot, isDot } from './dot.js';
import { epilogueKey, epilogueOf } from './epilogue.js';
import { packed } from './packed.js';
import { productOf, type Product } from './product.js';
import { isSwept, swept } from './swept.js';

/** Elements of the right operand up to which reading it in place beats packing it first, whatever the number of rows. */
const NEAR = 32768;
/** The same for few rows, which do not repay the packing: rows, elements, and elements from one k to the next. */
const FEW = { rows: 32, elements: 262144, step: 512 };
/** Elements of a left operand that is read across, its rows side by side and k far apart, from which on it repays its packing. */
const ACROSS = 8192;

/**
 * The kernel of a contraction; undefined for a nest that is none, or that has nothing to reuse.
 *
 * Sums are float32: over k products each is within (k / 384 + 384)·2⁻²⁴ of the sum of their magnitudes.
 * The output must not overlap an input: partial sums pass through it, and edges are written twice.
 */
export function renderContractionWasm(ir: NestIR, target: Target): WasmKernel | undefined {
  const product = productOf(ir);
  if (product === undefined) return undefined;
  const epilogue = epilogueOf(ir, size(ir, product.summed), target);
  if (epilogue === undefined) return undefined;
  const kernel = render(ir, product)(ir, product, epilogue, target);
  return {
    ...kernel,
    key: ['contraction', kernel.key, structureOf(ir, product), epilogueKey(epilogue)].join('|'),
  };
}

const size = (ir: NestIR, axes: readonly number[]): number => axes.reduce((total, axis) => total * ir.extents[axis], 1);

function render(ir: NestIR, product: Product): typeof packed {
  const [m, n, k] = [product.rows, product.columns, product.summed].map((axes) => size(ir, axes));
  const step = Math.max(...product.summed.map((axis) => Math.abs(ir.inputs[product.right].strides[axis])));
  const isFew = m <= FEW.rows && n * k <= FEW.elements && step <= FEW.step;
  const isAcross = product.summed.some((axis) => Math.abs(ir.inputs[product.left].strides[axis]) > 1);
  const isNear = n * k <= NEAR && !(isAcross && m * k > ACROSS);
  if (isSwept(ir, product)) return swept;
  if (isDirect(ir, product) && (m < 4 || isNear || isFew)) return direct;
  return isDot(ir, product) ? dot : packed;
}

/** What decides a kernel's code beside its blocks, how columns lie, and its epilogue. */
const structureOf = (ir: NestIR, { left, right, further, batch, rows, columns, summed }: Product): string =>
  [
    [left, right, ir.inputs.length],
    [batch, rows, columns, summed].map((axes) => axes.length),
    further.map((index) => [index, ir.inputs[index].dtype]),
    ir.output.dtype,
  ].join(' ');
