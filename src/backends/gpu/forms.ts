/**
 * @file How each mode wants sums of products: the one place where modes compute differently.
 *
 * Modes on a processor gain from longer turns of a loop too, shaders do not. On a device, results of fewer elements than these
 * are left one to a thread, so that there are threads enough.
 */
import type { GpuForm } from '../../codegen/render/gpu/form.js';
import type { GpuMode } from './options.js';

export const FORMS: Readonly<Record<GpuMode, GpuForm>> = {
  cpu: { tilesFrom: 16, unroll: 4 },
  webasm: { tilesFrom: 16, unroll: 4 },
  webgpu: { tilesFrom: 4096, unroll: 1 },
  webgl2: { tilesFrom: 4096, unroll: 1 },
};
