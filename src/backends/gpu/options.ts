/**
 * @file Options of the `gpu` backend, checked.
 */
import { describeValue, fault } from '../../errors/index.js';

const GPU_MODES = ['webgpu', 'webgl2', 'webasm', 'cpu'] as const;
/** How gpu.js computes. The last two need no device: they serve where a graph is tested, not where it is to be fast. */
export type GpuMode = (typeof GPU_MODES)[number];

/** How the `gpu` backend is made. */
export interface GpuOptions {
  readonly mode?: GpuMode;
  /** Compiled kernels kept, 256 by default; the least recently used goes first. */
  readonly cacheSize?: number;
}

const KNOWN: readonly string[] = ['mode', 'cacheSize'];
const wrong = (rule: string, actual: unknown) => fault('E_ARGUMENT', { place: 'gpu', rule, actual: describeValue(actual) });

/** @throws EinstreamError E_ARGUMENT for an option that is unknown, or outside its range */
export function readOptions(options: GpuOptions): Required<GpuOptions> {
  if (typeof options !== 'object' || options === null) throw wrong('options are one object', options);
  const unknown = Object.keys(options).find((key) => !KNOWN.includes(key));
  if (unknown !== undefined) throw wrong(`an option must be known: ${KNOWN.join(', ')}`, unknown);
  const { mode = 'webgpu', cacheSize = 256 } = options;
  if (!GPU_MODES.includes(mode)) throw wrong(`mode is one of ${GPU_MODES.join(', ')}`, mode);
  if (!Number.isSafeInteger(cacheSize) || cacheSize < 1) throw wrong('cacheSize must be an integer ≥ 1', cacheSize);
  return { mode, cacheSize };
}
