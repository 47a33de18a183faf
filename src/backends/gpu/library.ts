/**
 * @file gpu.js, loaded when it is asked for, and the narrow part of it that is used: its own types are wrong in many places.
 */
import { fault } from '../../errors/index.js';

/** An array argument of a kernel, or a value that lies on the device. */
export type Argument = Float32Array | Uint8Array | Int32Array | number | Handle;

/** A result that stays on the device until it is deleted. */
export interface Handle {
  /** gpu.js's name of how the elements lie. */
  readonly type?: string;
  readonly toArray: () => Float32Array | Promise<Float32Array>;
  readonly delete: () => void;
}

export type Result = Float32Array | Handle;

/** The part of a WebGL context that tells how it is. */
export interface WebGlContext {
  isContextLost(): boolean;
  getError(): number;
  getExtension(name: 'WEBGL_lose_context'): { loseContext(): void } | null;
}

/** What gpu.js keeps of WebGPU: one for all its instances, until the device is lost. */
export interface WebGpuContext {
  readonly isLost: boolean;
  readonly device: {
    addEventListener(
      kind: 'uncapturederror',
      listener: (event: {
        readonly error: { readonly message: string; readonly constructor: { readonly name: string } };
      }) => void,
    ): void;
  };
}

/** The compiled part of a kernel. */
export interface InnerKernel {
  /** In mode `webgpu`, after the first call. */
  readonly context?: WebGpuContext | null;
  readonly constructor: { readonly mode: string };
  /** Called instead of giving up in silence. */
  onRequestFallback: (() => never) | null;
  fallbackReason: string | null;
}

/** What `createKernel` gives: a function of the arguments. */
export interface LibraryKernel {
  (...inputs: readonly Argument[]): Result | Promise<Result>;
  readonly kernel: InnerKernel;
  readonly build: (...inputs: readonly Argument[]) => unknown;
  readonly destroy: () => void;
}

export interface KernelSettings {
  readonly output: readonly [number];
  readonly argumentTypes?: Readonly<Record<string, 'Array' | 'Number'>>;
  readonly loopMaxIterations: number;
  readonly dynamicArguments: false;
  readonly dynamicOutput: false;
  readonly immutable: true;
  readonly precision: 'single';
  readonly pipeline?: boolean;
  readonly asyncMode?: boolean;
}

export interface Library {
  readonly createKernel: (source: string, settings: KernelSettings) => LibraryKernel;
  /** Every kernel that was not destroyed; the CPU mode never removes one. */
  readonly kernels: InnerKernel[];
  /** In mode `webgl2`, once a kernel was made. */
  readonly context?: WebGlContext | null;
  readonly destroy: () => unknown;
}

export interface LibraryModule {
  readonly GPU: {
    new (settings: { readonly mode: string }): Library;
    readonly isWebGL2Supported: boolean;
    readonly isWebAssemblySupported: boolean;
  };
}

/** Loads gpu.js, which only this backend needs. @throws EinstreamError E_BACKEND that says how to install it */
export async function loadLibrary(load: () => Promise<unknown> = () => import('gpu.js')): Promise<LibraryModule> {
  let loaded: Partial<LibraryModule> & { readonly default?: Partial<LibraryModule> };
  try {
    loaded = (await load()) as typeof loaded;
  } catch (cause) {
    throw fault('E_BACKEND', {
      place: 'gpu',
      rule: 'the package gpu.js must be installed',
      actual: cause instanceof Error ? cause.message : String(cause),
      hint: 'npm install gpu.js@2.24.1',
      cause,
    });
  }
  const GPU = loaded.GPU ?? loaded.default?.GPU;
  if (typeof GPU === 'function') return { GPU };
  throw fault('E_BACKEND', {
    place: 'gpu',
    rule: 'the package gpu.js must be a version that is known',
    expected: 'an export named GPU',
    hint: 'npm install gpu.js@2.24.1',
  });
}
