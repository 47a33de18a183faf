/**
 * @file einstream/gpu: the backend that computes through gpu.js, which is loaded when a backend is made.
 */
export { gpu, gpuStatistics, type GpuMode, type GpuOptions, type GpuStatistics } from './backends/gpu/gpu.js';
