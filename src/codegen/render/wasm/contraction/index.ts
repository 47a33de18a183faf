/**
 * @file Sums of products of two float32 operands as WebAssembly: which kernel, by structure and size.
 */
import type { NestIR } from '../../../ir.js';
import type { Target, WasmKernel } from '../kernel.js';
import { isPlain, type Epilogue } from './epilogue.js';
import { packed } from './packed.js';
import { productOf } from './product.js';

/**
 * The kernel of a contraction; undefined for a nest that is none, or that has nothing to reuse.
 *
 * Sums are float32: over k products each is within (k / 256 + 256)·2⁻²⁴ of the sum of their magnitudes.
 * The output must not overlap an input: partial sums pass through it.
 */
export function renderContractionWasm(ir: NestIR, target: Target): WasmKernel | undefined {
  const product = productOf(ir);
  if (product === undefined) return undefined;
  const count = product.summed.reduce((total, axis) => total * ir.extents[axis], 1);
  const epilogue: Epilogue = { result: ir.result, dtype: ir.output.dtype, count, target };
  if (!isPlain(epilogue)) return undefined;
  return packed(ir, product, epilogue, target);
}
