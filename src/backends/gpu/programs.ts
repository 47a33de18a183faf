/**
 * @file Compiled kernels of one `GPU` instance: one for each source, sizes and kinds of arguments; the least recently used goes.
 *
 * gpu.js gives stale or wrong results when a kernel meets other sizes or kinds, so it never does; and it computes on the CPU in
 * silence when a mode gives up, so the mode that a kernel was built for is asked after building.
 */
import { fault } from '../../errors/index.js';
import type { GpuPass } from '../../codegen/render/gpu/kernel.js';
import { TILE } from '../../codegen/render/gpu/tile.js';
import { leastRecentlyUsed } from '../lru.js';
import { flat } from './flat.js';
import type { Instance } from './instance.js';
import type { Argument, Handle, Library, LibraryKernel, Result } from './library.js';
import type { GpuMode } from './options.js';
import { identity } from '../../codegen/render/gpu.js';

/** Compiled code for one pass. */
export interface Program {
  readonly call: (inputs: readonly Argument[]) => Result | Promise<Result>;
}

export interface Programs {
  /** Compiles now, or finds what was compiled. @throws EinstreamError E_CODEGEN where the mode cannot */
  readonly programOf: (pass: GpuPass) => Program;
  /** The elements on the device, to stay there; for modes whose results do. */
  readonly resident: (elements: Float32Array) => Promise<Handle>;
  /** Kernels that are compiled now. */
  readonly size: () => number;
  /** Destroys all that was compiled; what is asked for again is compiled again. */
  readonly forget: () => void;
}

interface Entry {
  kernel: LibraryKernel | undefined;
}

export function programs(instance: Instance, mode: GpuMode, cacheSize: number): Programs {
  const all = new Set<Entry>();
  const destroy = (entry: Entry): void => {
    const { kernel } = entry;
    if (kernel === undefined) return;
    entry.kernel = undefined;
    all.delete(entry);
    const inner = kernel.kernel;
    kernel.destroy();
    const { kernels } = instance.library();
    const at = kernels.indexOf(inner);
    if (at >= 0) kernels.splice(at, 1);
  };

  const entries = leastRecentlyUsed<string, Entry>(cacheSize, destroy);

  const find = (key: string, pass: GpuPass): LibraryKernel => {
    const known = entries.get(key)?.kernel;
    if (known !== undefined) return known;
    const entry: Entry = { kernel: build(instance.library(), mode, pass) };
    all.add(entry);
    entries.set(key, entry);
    return entry.kernel!;
  };
  const forget = (): void => {
    for (const entry of all) destroy(entry);
    all.clear();
  };
  instance.onLoss(forget);
  const programOf = (pass: GpuPass): Program => {
    const kinds = pass.arrays.map((operand) => (operand.of === 'input' ? 'array' : operand.isTiled ? 'tiled' : 'handle'));
    const key = `${pass.source} ${pass.length} ${kinds.join()} ${lengthsOf(pass).join()}`;
    find(key, pass);
    return { call: (inputs) => called(find(key, pass), mode, pass, inputs) };
  };
  return {
    programOf,
    resident: async (elements) => (await programOf(identity(elements.length)).call([elements])) as Handle,
    size: () => all.size,
    forget,
  };
}

/** gpu.js names WebGL by another word. */
const innerModeOf = (mode: GpuMode): string => (mode === 'webgl2' ? 'gpu' : mode);

/** Kernels that build with their first call may have given up by then, and computed on the CPU. */
function called(
  kernel: LibraryKernel,
  mode: GpuMode,
  { isTiled, length }: GpuPass,
  inputs: readonly Argument[],
): Result | Promise<Result> {
  const seen = (result: Result): Result => (isTiled ? flat(result, length) : result);
  const result = kernel(...inputs);
  return SYNCHRONOUS.has(mode)
    ? seen(result as Result)
    : Promise.resolve(result).then((value) => {
        const ran = kernel.kernel.constructor.mode;
        if (ran === innerModeOf(mode)) return seen(value);
        if (!(value instanceof Float32Array)) value.delete();
        throw fault('E_CODEGEN', {
          place: `gpu ${mode}`,
          rule: 'a kernel must run in the mode that was asked for',
          expected: mode,
          actual: `${ran}: ${kernel.kernel.fallbackReason ?? 'no reason given'}`,
        });
      });
}

const lengthsOf = ({ arrays }: GpuPass): readonly number[] =>
  arrays.map((operand) => (operand.of === 'input' ? operand.to - operand.from : operand.length));

/** Modes that answer at once. */
export const SYNCHRONOUS: ReadonlySet<GpuMode> = new Set(['cpu', 'webasm']);

function build(library: Library, mode: GpuMode, pass: GpuPass): LibraryKernel {
  const isSynchronous = SYNCHRONOUS.has(mode);
  const lengths = lengthsOf(pass);
  const argumentTypes = Object.fromEntries([
    ...lengths.map((_, k) => [`a${k}`, 'Array'] as const),
    ...pass.scalars.map((_, k) => [`s${k}`, 'Number'] as const),
  ]);
  const kernel = library.createKernel(pass.source, {
    output: [pass.isTiled ? pass.length / TILE : pass.length],
    // Textures have types of their own, which gpu.js takes from the first call.
    ...(mode === 'webgl2' ? {} : { argumentTypes }),
    ...(isSynchronous ? {} : { pipeline: true }),
    loopMaxIterations: 1e6,
    dynamicArguments: false,
    dynamicOutput: false,
    immutable: true,
    precision: 'single',
  });
  const inner = kernel.kernel;
  const refuse = (reason: string, cause?: unknown): never => {
    throw fault('E_CODEGEN', { place: `gpu ${mode}`, rule: 'gpu.js must take the kernel', actual: reason, cause });
  };
  inner.onRequestFallback = () => refuse(`the mode gave up: ${inner.fallbackReason ?? 'no reason given'}`);
  // The others build with their first call, which answers later.
  if (!isSynchronous) return kernel;
  try {
    kernel.build(...lengths.map((length) => new Float32Array(length)), ...pass.scalars);
  } catch (cause) {
    refuse(cause instanceof Error ? cause.message : String(cause), cause);
  }
  if (inner.constructor.mode !== innerModeOf(mode)) refuse(`it was built for the mode ${inner.constructor.mode}`);
  return kernel;
}
