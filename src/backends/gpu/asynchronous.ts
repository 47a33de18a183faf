/**
 * @file Kernels of the modes that compute on a device: their results stay there.
 */
import { fault } from '../../errors/index.js';
import type { KernelIR } from '../../codegen/ir.js';
import { renderGpu } from '../../codegen/render/gpu.js';
import type { GpuForm } from '../../codegen/render/gpu/form.js';
import type { GpuOperand, GpuPass, Resident, Residents } from '../../codegen/render/gpu/kernel.js';
import { MOST_CELLS } from '../../codegen/render/gpu/limits.js';
import { renderOnto, type Whole } from '../../codegen/render/gpu/onto.js';
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
  readonly form: GpuForm;
}

/** Passes for inputs that lie in certain places, compiled. */
interface Variant {
  readonly passes: readonly GpuPass[];
  readonly programs: readonly Program[];
  /** The last pass gives all elements of the output's buffer. */
  readonly isWhole: boolean;
  /** Others that lie there already among them. */
  readonly isPart: boolean;
}

export function asynchronousKernel({ programs, device, instance, counters, form }: DeviceParts, ir: KernelIR): Kernel {
  const { passes, placement, indexed } = renderGpu(ir, form);
  const variants = new Map<string, Variant>();
  const scatter = placement.isContiguous ? undefined : addressesOf(placement);
  let isLive = true;

  const variantFor = (residents: Residents, whole: Whole): Variant => {
    const key = JSON.stringify([residents, whole]);
    let variant = variants.get(key);
    if (variant === undefined) {
      const fills = scatter === undefined && whole.offset + placement.offset === 0 && passes.at(-1)!.length === whole.length;
      const onto = fills ? undefined : renderOnto(ir, residents, whole);
      const used = onto === undefined ? renderGpu(ir, form, residents).passes : [onto];
      variant = { passes: used, programs: used.map(programs.programOf), isWhole: fills || onto !== undefined, isPart: !fills };
      variants.set(key, variant);
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
      const isSameDevice = (): boolean => instance.epoch() === epoch;
      const made: Handle[] = [];
      try {
        await instance.ready();
        for (const tensor of [output, ...inputs]) bufferOf(tensor)?.requireKept();
        if (indexed !== undefined) {
          await device.fetch([inputs[1]]);
          requireIndices(inputs[1], indexed);
        }
        await Promise.all(inputs.map((input) => settle(programs, counters, bufferOf(input), isSameDevice)));
        const variant = variantFor(inputs.map(residentOf), wholeOf(output, target));
        for (const [at, pass] of variant.passes.entries()) {
          // What earlier passes left on a device that is gone is nothing to read.
          instance.requireAlive(epoch);
          counters.launches++;
          made.push((await variant.programs[at].call(argumentsOf(pass, inputs, made, target.handle))) as Handle);
        }
        const result = made.at(-1)!;
        instance.requireAlive(epoch);
        if (target.generation !== generation) return;
        if (variant.isWhole) {
          if (variant.isPart) target.parts++;
          target.hold(made.pop()!);
        } else {
          await device.fetch([output]);
          const elements = await device.read(result);
          // Of a device that went meanwhile it may be zeros, which the next one knows nothing of.
          instance.requireAlive(epoch);
          if (target.generation === generation) merge(elements, output, scatter, placement.offset);
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
  return buffer?.handle === undefined
    ? undefined
    : { length: buffer.size, offset: input.offset, isTiled: isTiled(buffer.handle) };
};

/** WebGL reads textures of four elements a texel otherwise, and gpu.js takes each of a kernel's arguments for one kind. */
const isTiled = ({ type }: Handle): boolean => type === 'MemoryOptimizedNumberTexture';

/** Parts that join on the device, where each of them costs a pass over the whole; more join on the host. */
const MOST_PARTS = 64;

function wholeOf({ offset }: Tensor, { size, handle, host, parts }: DeviceBuffer): Whole {
  const isFar = parts >= MOST_PARTS || (handle === undefined && host !== undefined);
  const before = isFar ? 'host' : handle === undefined ? 'nothing' : isTiled(handle) ? 'tiled' : 'single';
  return { length: size, offset, before };
}

function argumentsOf(
  { arrays, scalars }: GpuPass,
  inputs: readonly Tensor[],
  made: readonly Handle[],
  before: Handle | undefined,
): readonly Argument[] {
  const list = arrays.map((operand) => argumentOf(operand, inputs, made, before));
  return [...list, ...scalars];
}

function argumentOf(
  operand: GpuOperand,
  inputs: readonly Tensor[],
  made: readonly Handle[],
  before: Handle | undefined,
): Argument {
  if (operand.of === 'pass') return made[operand.index];
  if (operand.of === 'input') return windowIn(inputs[operand.index], operand);
  const handle = operand.of === 'before' ? before : bufferOf(inputs[operand.index])?.handle;
  if (handle !== undefined) return handle;
  throw fault('E_STALE', { place: 'gpu', rule: 'a value must not be given up while a kernel waits for it' });
}

/** Params that a kernel reads go to the device, once. */
async function settle(
  programs: Programs,
  counters: Counters,
  buffer: DeviceBuffer | undefined,
  isSameDevice: () => boolean,
): Promise<void> {
  if (buffer?.isKept !== true || buffer.handle !== undefined || buffer.size === 0 || buffer.size > MOST_CELLS) return;
  const { generation } = buffer;
  const handle = await programs.resident(buffer.array as Float32Array);
  counters.uploads++;
  if (isSameDevice() && buffer.generation === generation && buffer.handle === undefined) buffer.copy(handle);
  else handle.delete();
}

/** A part of the output: it joins the others on the host. */
function merge(elements: Float32Array, output: Tensor, scatter: Int32Array | undefined, offset: number): void {
  bufferOf(output)!.open();
  const target = output.buffer.array as Float32Array;
  const base = output.offset + offset;
  if (scatter === undefined) target.set(elements, base);
  else for (let at = 0; at < scatter.length; at++) target[base + scatter[at]] = elements[at];
}
