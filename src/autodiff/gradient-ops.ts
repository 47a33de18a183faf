/**
 * @file The ops that rules for gradients are made of: all, as a rule may name any.
 */
import { ops } from '../ops/registry.js';
import type { GradientOps } from '../ops/vjp.js';

export const gradientOps = ops as GradientOps;
