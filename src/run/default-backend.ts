/**
 * @file The backends that run a graph when none is named: `wasm` for what is large, where it may be used, and `js`.
 */
import { js, type Backend } from '../backends/index.js';
import { mayCompile } from '../backends/wasm/probe.js';
import { FUSED_NODES, wasmNow } from '../backends/wasm/over.js';
import { paired } from './paired.js';

let plain: Backend | undefined;
let large: Backend | undefined;
let pair: Backend | undefined;

/** One `js` backend for all: those who share it share its kernels. */
export const plainBackend = (): Backend => (plain ??= js());

/** The one `wasm` backend that nobody asked for. Its memory is reserved at the first call. @throws EinstreamError E_OOM */
const largeBackend = (): Backend => (large ??= wasmNow());

/** One for all runs that name none; `js` itself where there is no WebAssembly SIMD, or the page forbids it. */
export const defaultBackend = (): Backend =>
  (pair ??= mayCompile() ? paired(plainBackend(), largeBackend, { maxFusedNodes: FUSED_NODES }) : plainBackend());
