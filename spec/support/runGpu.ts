/**
 * @file Sources for gpu.js, computed in JavaScript thread by thread: what they say, whatever a mode makes of it.
 */
import { TILE } from '../../src/codegen/render/gpu/tile.js';
import type { GpuKernel, GpuOperand, GpuPass } from '../../src/codegen/render/gpu/kernel.js';

/** The elements of the last pass; what is read outside of an array is NaN. `before` is what lies in the output's buffer. */
export function runGpu(passes: GpuKernel['passes'], inputs: readonly Float32Array[], before?: Float32Array): Float32Array {
  const results: Float32Array[] = [];
  for (const pass of passes) {
    const result = runPass(
      pass,
      pass.arrays.map((operand) => arrayOf(operand, inputs, results, before)),
    );
    if (result.length !== pass.length) throw new Error(`a pass of ${pass.length} elements gave ${result.length}`);
    results.push(result);
  }
  return results.at(-1)!;
}

function arrayOf(
  operand: GpuOperand,
  inputs: readonly Float32Array[],
  results: readonly Float32Array[],
  before: Float32Array | undefined,
): Float32Array {
  if (operand.of === 'pass') return results[operand.index];
  if (operand.of === 'before') return before!;
  return operand.of === 'buffer' ? inputs[operand.index] : inputs[operand.index].subarray(operand.from, operand.to);
}

function runPass({ source, length, isTiled, scalars }: GpuPass, arrays: readonly Float32Array[]): Float32Array {
  // The source is the engine's own; what `this.thread.x` is, this file says.
  const cell = new Function(`return ${source}`)() as (...given: readonly unknown[]) => number | readonly number[];
  const threads = isTiled ? length / TILE : length;
  return Float32Array.from(Array.from({ length: threads }, (_, x) => cell.call({ thread: { x } }, ...arrays, ...scalars)).flat());
}
