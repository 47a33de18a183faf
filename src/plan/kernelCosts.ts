/**
 * @file What kernels cost in nanoseconds: what `calibrate` measured, for estimates of time where nobody measures anew.
 */
import type { FusionCostModel } from './fusionCosts.js';

/**
 * Medians of several calibrations on one thread of an AMD EPYC (Node 20), by backend; `frame` is what a run of one small kernel takes
 * beyond it. Other machines are faster or slower as a whole; how many times faster one graph is than another, which is what these are for, changes less.
 *
 * ```ts
 * const { launch, memoryAccess } = KERNEL_COSTS.wasm; // nanoseconds
 * launch > 1000 * memoryAccess // => true
 * ```
 */
export const KERNEL_COSTS: Readonly<Record<'wasm' | 'js', FusionCostModel>> = Object.freeze({
  wasm: Object.freeze({
    ...{ memoryAccess: 0.08, cacheAccess: 0.026, cacheBytes: 2 ** 24, compute: 0.014, launch: 120, bandwidth: 5e10, frame: 470 },
    computeOf: Object.freeze({ elementwise: 0.014, division: 0.16, function: 0.58, fold: 0.11, contraction: 0.018, movement: 0 }),
  }),
  // Loops over single elements do not wait for memory.
  js: Object.freeze({
    ...{ memoryAccess: 0.53, compute: 0.4, launch: 55, bandwidth: 7.5e9, frame: 800 },
    computeOf: Object.freeze({ elementwise: 0.4, division: 0.87, function: 5.6, fold: 0.14, contraction: 0.19, movement: 0 }),
  }),
});

/** Of a backend by its name; others are taken to compute as `wasm` does. */
export const kernelCosts = (backend: string): FusionCostModel => (backend === 'js' ? KERNEL_COSTS.js : KERNEL_COSTS.wasm);
