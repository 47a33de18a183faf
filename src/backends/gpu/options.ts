/**
 * @file Options of the `gpu` backend, checked.
 */
import { describeValue, fault, type Diagnostic } from '../../errors/index.js';

const GPU_MODES = ['webgpu', 'webgl2', 'webasm', 'cpu'] as const;
/** How gpu.js computes. The last two need no device: they serve where a graph is tested, not where it is to be fast. */
export type GpuMode = (typeof GPU_MODES)[number];

/** How the `gpu` backend is made. */
export interface GpuOptions {
  /** `'auto'` (default): hardware alone, WebGPU before WebGL2, and `wasm` or `js` where there is none. */
  readonly mode?: GpuMode | 'auto';
  /** Milliseconds after which a value that does not come back from the device is E_TIMEOUT; 30,000 by default. */
  readonly readTimeout?: number;
  /** Hears that `'auto'` found no hardware. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
  /** Compiled kernels kept, 256 by default and 64 in mode `'webasm'`; the least recently used goes first. */
  readonly cacheSize?: number;
}

/** Each kernel of `webasm` reserves 10 GiB of addresses for a memory of its own, of which a page has 1 TiB. */
const cacheSizeOf = (mode: GpuMode | 'auto'): number => (mode === 'webasm' ? 64 : 256);

const KNOWN: readonly string[] = ['mode', 'cacheSize', 'readTimeout', 'onDiagnostic'];
const MODES: readonly string[] = ['auto', ...GPU_MODES];
const wrong = (rule: string, actual: unknown) => fault('E_ARGUMENT', { place: 'gpu', rule, actual: describeValue(actual) });

/** @throws EinstreamError E_ARGUMENT for an option that is unknown, or outside its range */
export function readOptions(options: GpuOptions): Required<Omit<GpuOptions, 'onDiagnostic'>> & Pick<GpuOptions, 'onDiagnostic'> {
  if (typeof options !== 'object' || options === null) throw wrong('options are one object', options);
  const unknown = Object.keys(options).find((key) => !KNOWN.includes(key));
  if (unknown !== undefined) throw wrong(`an option must be known: ${KNOWN.join(', ')}`, unknown);
  const { mode = 'auto', cacheSize = cacheSizeOf(mode), readTimeout = 30_000, onDiagnostic } = options;
  if (!MODES.includes(mode)) throw wrong(`mode is one of ${MODES.join(', ')}`, mode);
  if (!Number.isSafeInteger(cacheSize) || cacheSize < 1) throw wrong('cacheSize must be an integer ≥ 1', cacheSize);
  if (!(readTimeout > 0) || typeof readTimeout !== 'number')
    throw wrong('readTimeout is a number of milliseconds > 0', readTimeout);
  if (onDiagnostic !== undefined && typeof onDiagnostic !== 'function') throw wrong('onDiagnostic is a function', onDiagnostic);
  return { mode, cacheSize, readTimeout, onDiagnostic };
}
