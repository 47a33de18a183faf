/**
 * @file One WebAssembly kernel on a memory of its own: inputs copied in, the output read back, the bytes beside it watched.
 */
import type { KernelIR } from '../../src/codegen/ir.js';
import { importedFunction } from '../../src/codegen/render/wasm/imports.js';
import type { Target, WasmKernel } from '../../src/codegen/render/wasm/kernel.js';
import { moduleBytes } from '../../src/codegen/render/wasm/module.js';
import { arrayOf } from '../../src/tensor/dtype.js';
import type { Tensor } from '../../src/tensor/tensor.js';

const PAGE = 65536;

/** The plain target, on a memory that one thread owns. */
export const PLAIN: Target = { isRelaxed: false, memory: { isShared: false, maximumPages: 4096 } };

/** Whether this engine validates relaxed SIMD (`f32x4.relaxed_madd`). */
export const HAS_RELAXED = WebAssembly.validate(
  Uint8Array.from(
    '0061736d0100000001080160037b7b7b017b030201000a0d010b00200020012002fd85020b'.match(/../g)!.map((pair) => parseInt(pair, 16)),
  ),
);

/** Each target that this engine can run. */
export const TARGETS: readonly Target[] = [PLAIN, ...(HAS_RELAXED ? [{ ...PLAIN, isRelaxed: true }] : [])];

type Words = Float32Array | Float64Array | Int32Array | Uint8Array;

/** Bytes of a buffer, which is aligned to 64 and followed by 64 bytes that are its own. */
const room = ({ buffer }: Tensor): number => Math.ceil(buffer.array.byteLength / 64) * 64 + 64;

/** The stretches of memory that a kernel must leave alone. */
const outside = (memory: WebAssembly.Memory, at: number, output: Tensor, scratch: number, bytes: number) => [
  [0, at],
  [at + output.buffer.array.byteLength, scratch],
  [scratch + bytes, memory.buffer.byteLength],
];

type MemorySource = ReturnType<WasmKernel['source']>['memory'];

const memoryOf = ({ isShared, maximumPages }: MemorySource, bytes: number): WebAssembly.Memory =>
  new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) + 1, maximum: maximumPages, shared: isShared });

const used = new Map<string, WebAssembly.Memory>();

/** A memory of another run, of the very size that a fresh one has: the system would clear each page of that anew. */
function usedMemory(source: MemorySource, bytes: number): WebAssembly.Memory {
  const key = `${source.isShared} ${source.maximumPages} ${Math.ceil(bytes / PAGE)}`;
  return used.get(key) ?? used.set(key, memoryOf(source, bytes)).get(key)!;
}

/** The kernel's exports over a memory of `bytes` at least, a fresh one by default. `code` is its module, where that was made already. */
export function instantiate(kernel: WasmKernel, bytes: number, code?: Uint8Array, make = memoryOf) {
  const source = kernel.source();
  const memory = make(source.memory, bytes);
  const imports = Object.fromEntries((source.imports ?? []).map(({ name }) => [name, importedFunction(name)]));
  const module = new WebAssembly.Module((code ?? moduleBytes(source)) as BufferSource);
  const { run } = new WebAssembly.Instance(module, { env: { memory, ...imports } }).exports;
  return { memory, run: run as (descriptor: number) => number | undefined };
}

/**
 * Runs `kernel` as a backend would, and writes what it wrote into the output's own buffer. `code` is its module, where that was
 * made already.
 *
 * @returns what `run` returned: undefined, or a gather's flag
 * @throws Error when a byte outside the output tensor's buffer and outside `scratch` changed
 */
export function runWasm(
  ir: KernelIR,
  kernel: WasmKernel,
  inputs: readonly Tensor[],
  output: Tensor,
  code?: Uint8Array,
): number | undefined {
  const accesses = ir.kind === 'gather' ? [ir.data, ir.index, ir.output] : [...ir.inputs, ir.output];
  const tensors = [...inputs, output];
  let next = 64;
  const at = tensors.map((tensor) => {
    const start = next;
    next += room(tensor);
    return start;
  });
  const scratch = next;
  next += Math.ceil(kernel.scratch / 64) * 64 + 64;
  const descriptor = next;
  next += 4 * (tensors.length + 1 + kernel.words.length);
  const { memory, run } = instantiate(kernel, next, code, usedMemory);
  new Uint8Array(memory.buffer).fill(0xa5);
  const viewOf = (k: number): Words =>
    new (arrayOf(tensors[k].dtype) as Float32ArrayConstructor)(memory.buffer, at[k], tensors[k].buffer.array.length);
  tensors.forEach((tensor, k) => viewOf(k).set(tensor.buffer.array as Words));
  const addresses = tensors.map(
    ({ offset, buffer }, k) => at[k] + (offset + accesses[k].offset) * buffer.array.BYTES_PER_ELEMENT,
  );
  new Int32Array(memory.buffer, descriptor).set([...addresses, scratch, ...kernel.words]);
  const [before, own] = [Buffer.from(memory.buffer.slice(0)), outside(memory, at.at(-1)!, output, scratch, kernel.scratch)];
  const result = run(descriptor);
  for (const [from, to] of own)
    if (before.compare(Buffer.from(memory.buffer), from, to, from, to) !== 0)
      throw new Error(`a byte between ${from} and ${to} changed; the output is at ${at.at(-1)!}`);
  (output.buffer.array as Words).set(viewOf(tensors.length - 1));
  return result;
}
