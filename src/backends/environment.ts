/**
 * @file What the engine that runs this code offers to backends. Probed, never guessed from a name or a version.
 */
import { canGenerate } from '../codegen/generate.js';

/** What the JavaScript engine that runs this offers, as plain data: each entry was probed. */
export interface Environment {
  /** Functions may be made from text. */
  readonly codeGeneration: boolean;
  /** WebAssembly modules may be made: a page's Content-Security-Policy may forbid it. */
  readonly wasm: boolean;
  /** WebAssembly's 128-bit vector instructions. */
  readonly simd: boolean;
  /** Memory that threads may share. */
  readonly sharedMemory: boolean;
  /** Threads that run at the same time; 1 where it is not told. */
  readonly threads: number;
  readonly webgl: boolean;
  readonly webgpu: boolean;
}

const EMPTY_MODULE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
// (module (func (result v128) i32.const 0 i8x16.splat))
// prettier-ignore
const SIMD_MODULE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
]);

/**
 * Probes where this code runs: what is missing is said to be missing, and `js()` works without any of it.
 *
 * ```ts
 * environment().threads >= 1 // => true
 * ```
 */
export function environment(): Environment {
  const scope = globalThis as unknown as Readonly<Record<string, unknown>>;
  const { navigator } = scope as { readonly navigator?: { readonly hardwareConcurrency?: unknown; readonly gpu?: unknown } };
  const wasm = canMake(EMPTY_MODULE);
  return Object.freeze({
    codeGeneration: canGenerate(),
    wasm,
    simd: wasm && canMake(SIMD_MODULE),
    sharedMemory: typeof scope['SharedArrayBuffer'] === 'function',
    threads: threadsOf(navigator?.hardwareConcurrency),
    webgl: hasWebGL(scope),
    webgpu: navigator?.gpu !== undefined && navigator.gpu !== null,
  });
}

/** Pages say it themselves, Node 21 and later too; Node 20 where it is asked. */
function threadsOf(told: unknown): number {
  if (typeof told === 'number') return told;
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } };
  const os = process?.getBuiltinModule?.('node:os') as { availableParallelism?(): number } | undefined;
  return os?.availableParallelism?.() ?? 1;
}

function canMake(module: Uint8Array<ArrayBuffer>): boolean {
  try {
    return new WebAssembly.Module(module) instanceof WebAssembly.Module;
  } catch {
    return false; // there is no WebAssembly, no such instruction, or no permission
  }
}

function hasWebGL(scope: Readonly<Record<string, unknown>>): boolean {
  const Canvas = scope['OffscreenCanvas'] as
    (new (width: number, height: number) => { getContext(kind: string): unknown }) | undefined;
  if (typeof Canvas !== 'function') return false;
  try {
    return new Canvas(1, 1).getContext('webgl2') !== null;
  } catch {
    // A page may forbid the context; then there is none.
    return false;
  }
}
