/**
 * @file Kernels of the modes that answer at once, on ordinary arrays.
 */
import { fault } from '../../errors/index.js';
import { outOfRange } from '../../codegen/gather.js';
import type { KernelIR } from '../../codegen/ir.js';
import { renderGpu } from '../../codegen/render/gpu.js';
import type { GpuForm } from '../../codegen/render/gpu/form.js';
import type { GpuOperand, GpuPass } from '../../codegen/render/gpu/kernel.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { Kernel } from '../backend.js';
import type { Counters } from './device.js';
import type { Argument } from './library.js';
import { placing } from './placing.js';
import type { Programs } from './programs.js';

/** Compiles loop IR to passes that run one after another. */
export function synchronousKernel(programs: Programs, counters: Counters, form: GpuForm, ir: KernelIR): Kernel {
  const { passes, placement, indexed } = renderGpu(ir, form);
  const calls = passes.map((pass) => ({ pass, program: programs.programOf(pass) }));
  const place = placing(placement);
  return {
    run(inputs, [output]) {
      if (calls.length === 0) return;
      if (indexed !== undefined) requireIndices(inputs[1], indexed);
      const results: Float32Array[] = [];
      counters.launches += calls.length;
      for (const { pass, program } of calls) results.push(program.call(argumentsOf(pass, inputs, results)) as Float32Array);
      place(results.at(-1)!, output);
    },
    dispose: () => undefined,
  };
}

function argumentsOf(
  { arrays, scalars }: GpuPass,
  inputs: readonly Tensor[],
  results: readonly Float32Array[],
): readonly Argument[] {
  const list: Argument[] = [];
  for (const operand of arrays) {
    if (operand.of === 'input') list.push(windowIn(inputs[operand.index], operand));
    else if (operand.of === 'pass') list.push(results[operand.index]);
    else throw fault('E_KERNEL', { place: 'gpu', rule: 'what lies on the host is read from there', actual: operand.of });
  }
  return list.concat(scalars);
}

/** The part of a host tensor's array that a kernel reads. */
export function windowIn({ buffer, offset }: Tensor, { from, to }: Extract<GpuOperand, { of: 'input' }>): Argument {
  const array = buffer.array as Float32Array;
  const [begin, end] = [offset + from, offset + to];
  if (begin < 0 || end > array.length)
    throw fault('E_KERNEL', {
      place: 'gpu',
      rule: 'a kernel reads tensors of the layout that it was made for',
      expected: `elements ${begin} to ${end}`,
      actual: `${array.length} elements`,
    });
  return begin === 0 && end === array.length ? array : array.subarray(begin, end);
}

/** Every index lies within the axis. */
export function requireIndices(index: Tensor, size: number): void {
  for (const each of index.data) {
    const given = Number(each);
    if (!(given >= -size && given < size)) outOfRange(given, size);
  }
}
