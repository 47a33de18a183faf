/**
 * @file einstream/gpu: the backend that computes through gpu.js, which is loaded when a backend is made.
 */
export { gpu, type GpuMode, type GpuOptions } from './backends/gpu/gpu.js';
