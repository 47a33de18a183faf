/**
 * @file Relaxed SIMD for the specs of a suite, also where the engine (V8 11) has it behind a flag.
 *
 * V8 reads the flag at each validation, so it is set for a while and taken back. The engine's own probe remembers its answer,
 * and is asked here, before any flag is set.
 */
import { setFlagsFromString } from 'node:v8';
import { hasRelaxedSimd } from '../../src/backends/wasm/probe.js';

const isOn = hasRelaxedSimd();
const FLAG = 'experimental-wasm-relaxed-simd';

export const allowRelaxedSimd = (): void => {
  if (!isOn) setFlagsFromString(`--${FLAG}`);
};

export const forbidRelaxedSimd = (): void => {
  if (!isOn) setFlagsFromString(`--no-${FLAG}`);
};
