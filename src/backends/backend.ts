/**
 * @file The contract of a backend: it turns loop IR into kernels and owns the memory that they use.
 */
import type { ComputedDType, DType } from '../tensor/dtype.js';
import type { Shape } from '../tensor/shape.js';
import type { Tensor } from '../tensor/tensor.js';
import type { KernelIR } from '../codegen/ir.js';

/** What a backend makes of loop IR: a function of tensors that writes tensors. */
export interface Kernel {
  /** Writes every element of the outputs. Asynchronous backends return a Promise. */
  run(inputs: readonly Tensor[], outputs: readonly Tensor[]): void | Promise<void>;
  dispose(): void;
}

/** Kinds of devices that a backend may compute on. */
export type DeviceType = 'CPU' | 'GPU' | 'Worker' | 'Custom';

/** What a backend may be able to do beyond running kernels. */
export type Feature =
  | 'Autodiff'
  | 'BatchExecution'
  | 'SparseTensors'
  | 'MixedPrecision'
  | 'SIMDAcceleration'
  | 'GPUAcceleration'
  | 'DistributedExecution'
  | 'JIT'
  | 'CodeGeneration';

/** An op that a backend cannot run: for all dtypes of its operands and its result, or for some. */
export interface Exclusion {
  readonly op: string;
  readonly dtypes?: readonly ComputedDType[];
  readonly results?: readonly ComputedDType[];
}

/** What a backend can do. Probed when it is made; plain data, so it survives JSON. */
export interface BackendCapabilities {
  readonly name: string;
  readonly version: string;
  readonly devices: readonly { readonly type: DeviceType; readonly index: number }[];
  readonly dtypes: readonly ComputedDType[];
  /** Ops that it cannot run; none by default. */
  readonly excludes?: readonly Exclusion[];
  readonly features: readonly Feature[];
  /** Most axes of a tensor. */
  readonly maxDims: number;
  readonly maxTensorBytes: number;
  /** Most nodes that one fused kernel may join. */
  readonly maxFusedNodes: number;
  /** Most values that one fused kernel may read; any number by default. */
  readonly maxFusedOperands?: number;
  /** Most results of one shape that one kernel writes behind one another; one by default. */
  readonly maxResults?: number;
  /**
   * What a contraction of three or more operands holds between its pairwise steps, where the result is float32: float64 by
   * default, so that the order of the steps does not decide the precision.
   */
  readonly partialSums?: 'float32' | 'float64';
  /** What becomes of float32 numbers nearer to 0 than 2⁻¹²⁶: they are kept by default; a device may make any of them 0. */
  readonly denormals?: 'kept' | 'mayBeZero';
  /** Kernels return Promises. */
  readonly asynchronous: boolean;
  /** What the backend does differently here than it could elsewhere, in sentences. */
  readonly remarks: readonly string[];
}

/** Memory that the host cannot read at once: how elements come from there, and when they may be forgotten. */
export interface DeviceMemory {
  /**
   * Resolves when the elements of these tensors can be read on the host; those that lie there already cost nothing.
   *
   * @throws EinstreamError E_BACKEND_LOST when the device is gone, as a rejection
   */
  fetch(tensors: readonly Tensor[]): Promise<void>;
  /** The host is about to write the elements of a tensor; what the device holds of them is forgotten. */
  open(tensor: Tensor): void;
  /** Nobody reads the elements any more before they are written again: what the device holds of them is freed. */
  discard(tensor: Tensor): void;
}

/** One piece of memory for all values of a frame. */
export interface Reserve {
  /** A contiguous tensor from a byte offset on, with whatever lies there. */
  readonly tensorAt: (offset: number, shape: Shape, dtype: DType) => Tensor;
  /** All of it is free again; tensors over it are stale from then on. */
  readonly release: () => void;
}

/** How the engine places values in memory of a backend that lends it in one piece. */
export interface Placing {
  /** Offsets are multiples of this. */
  readonly alignment: number;
  /** Bytes behind each tensor that kernels may read and write. */
  readonly padding: number;
  /** @throws EinstreamError E_OOM when the memory cannot be had */
  readonly reserve: (bytes: number) => Reserve;
  /** Others want the memory: values lie in it wherever they can, and it goes back with each frame. */
  readonly isShared?: boolean;
}

/** Whoever computes: makes kernels, and owns the memory that they read and write. */
export interface Backend {
  readonly name: string;
  readonly capabilities: BackendCapabilities;
  /** @throws EinstreamError E_CODEGEN where the backend cannot make this kernel */
  compile(ir: KernelIR): Kernel;
  /** A contiguous tensor for a kernel to write. */
  allocate(shape: Shape, dtype: DType): Tensor;
  /** The same values where kernels read them; the tensor itself if it lies there already. */
  upload(tensor: Tensor): Tensor;
  /**
   * Present where tensors lie in memory of the backend's own: tells whether this one does. Feeds from elsewhere are then copied
   * in once, and outputs copied out. Without it every tensor is an ordinary array, and results are handed over as they are.
   */
  owns?(tensor: Tensor): boolean;
  /**
   * Beside `owns`: frees the memory of a tensor that `allocate` made. It and its views are stale from then on. Without this
   * call the memory is free when they are garbage, which no collector knows to be urgent.
   */
  release?(tensor: Tensor): void;
  /** Present where values of a frame may lie anywhere in one piece of memory. Without it each buffer is allocated by itself. */
  readonly placing?: Placing;
  /** Beside `owns`, where tensors lie in memory that the host cannot read: kernels leave them there. */
  readonly device?: DeviceMemory;
  /** Nothing of the backend may be used afterwards. Its memory is free once no tensor of it is reachable. */
  close(): Promise<void>;
}
