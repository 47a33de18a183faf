/**
 * @file Kernels of the modes that compute on a device: their results stay there.
 */
import { fault } from '../../errors/index.js';
import type { KernelIR } from '../../codegen/ir.js';
import { renderGpu } from '../../codegen/render/gpu.js';
import type { GpuKernel, GpuOperand, GpuPass, Resident } from '../../codegen/render/gpu/kernel.js';
import { MOST_CELLS } from '../../codegen/render/gpu/limits.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { Kernel } from '../backend.js';
import { bufferOf, type Counters, type Device } from './device.js';
import type { DeviceBuffer } from './deviceBuffer.js';
import type { Instance } from './instance.js';
import type { Argument, Handle } from './library.js';
import { addressesOf } from './placing.js';
import type { Program, Programs } from './programs.js';
import { requireIndices, windowIn } from './synchronous.js';

/** What kernels of a device share. */
export interface DeviceParts {
  readonly programs: Programs;
  readonly device: Device;
  readonly instance: Instance;
  readonly counters: Counters;
}

/** Passes for inputs that lie in certain places, compiled. */
interface Variant {
  readonly kernel: GpuKernel;
  readonly programs: readonly Program[];
}

export function asynchronousKernel({ programs, device, instance, counters }: DeviceParts, ir: KernelIR): Kernel {
  const { passes, placement, indexed } = renderGpu(ir);
  const variants = new Map<string, Variant>();
  const scatter = placement.isContiguous ? undefined : addressesOf(placement);
  let isLive = true;

  const variantFor = (residents: readonly (Resident | undefined)[]): Variant => {
    const key = JSON.stringify(residents);
    let variant = variants.get(key);
    if (variant === undefined) {
      const kernel = renderGpu(ir, residents);
      variants.set(key, (variant = { kernel, programs: kernel.passes.map(programs.programOf) }));
    }
    return variant;
  };
  return {
    async run(inputs, [output]) {
      if (!isLive) throw fault('E_BACKEND', { place: 'gpu', rule: 'a kernel must not run after its disposal' });
      const target = bufferOf(output);
      if (target === undefined)
        throw fault('E_BACKEND', { place: 'gpu', rule: 'a kernel writes to tensors of its own backend', actual: String(output) });
      if (passes.length === 0) return;
      const { generation } = target;
      const epoch = instance.epoch();
      const made: Handle[] = [];
      try {
        await instance.ready();
        for (const tensor of [output, ...inputs]) bufferOf(tensor)?.requireKept();
        if (indexed !== undefined) {
          await device.fetch([inputs[1]]);
          requireIndices(inputs[1], indexed);
        }
        await Promise.all(inputs.map((input) => settle(programs, counters, bufferOf(input))));
        const residents = inputs.map((input) => residentOf(input));
        const variant = variantFor(residents);
        for (const [at, pass] of variant.kernel.passes.entries()) {
          counters.launches++;
          made.push((await variant.programs[at].call(argumentsOf(pass, inputs, made))) as Handle);
        }
        const result = made.at(-1)!;
        instance.requireAlive(epoch);
        if (target.generation !== generation) return;
        const isWhole =
          scatter === undefined && output.offset + placement.offset === 0 && variant.kernel.passes.at(-1)!.length === target.size;
        if (isWhole) target.hold(made.pop()!);
        else {
          await merge(device, result, output, scatter, placement.offset);
        }
      } catch (cause) {
        throw instance.failed(cause, epoch);
      } finally {
        for (const handle of made) handle.delete();
      }
    },
    dispose: () => void (isLive = false),
  };
}

const residentOf = (input: Tensor): Resident | undefined => {
  const buffer = bufferOf(input);
  return buffer?.handle === undefined ? undefined : { length: buffer.size, offset: input.offset };
};

function argumentsOf({ arrays, scalars }: GpuPass, inputs: readonly Tensor[], made: readonly Handle[]): readonly Argument[] {
  const list = arrays.map((operand) => argumentOf(operand, inputs, made));
  return [...list, ...scalars];
}

function argumentOf(operand: GpuOperand, inputs: readonly Tensor[], made: readonly Handle[]): Argument {
  if (operand.of === 'pass') return made[operand.index];
  if (operand.of === 'input') return windowIn(inputs[operand.index], operand);
  const handle = bufferOf(inputs[operand.index])?.handle;
  if (handle !== undefined) return handle;
  throw fault('E_STALE', { place: 'gpu', rule: 'a value must not be given up while a kernel waits for it' });
}

/** Params that a kernel reads go to the device, once. */
async function settle(programs: Programs, counters: Counters, buffer: DeviceBuffer | undefined): Promise<void> {
  if (buffer?.isKept !== true || buffer.handle !== undefined || buffer.size === 0 || buffer.size > MOST_CELLS) return;
  const { generation } = buffer;
  const handle = await programs.resident(buffer.array as Float32Array);
  counters.uploads++;
  if (buffer.generation === generation && buffer.handle === undefined) buffer.copy(handle);
  else handle.delete();
}

/** A part of the output: it joins the others on the host. */
async function merge(
  device: Device,
  result: Handle,
  output: Tensor,
  scatter: Int32Array | undefined,
  offset: number,
): Promise<void> {
  await device.fetch([output]);
  const elements = await device.read(result);
  bufferOf(output)!.open();
  const target = output.buffer.array as Float32Array;
  const base = output.offset + offset;
  if (scatter === undefined) target.set(elements, base);
  else for (let at = 0; at < scatter.length; at++) target[base + scatter[at]] = elements[at];
}
