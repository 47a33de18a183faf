/**
 * @file Odd functions as t + t³·p(t²): relatively accurate near 0.
 */
import type { Code } from '../bytes.js';
import { f32x4 } from '../instructions.js';
import type { Steps } from './steps.js';

/** `z` is t²; both are read several times. */
export const odd = (m: Steps, coefficients: readonly number[], t: Code, z: Code): Code =>
  m.madd(f32x4.mul(m.polynomial(coefficients, z), z), t, t);
