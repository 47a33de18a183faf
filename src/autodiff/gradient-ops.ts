/**
 * @file What rules for gradients are made of: all ops, as a rule may name any, and the long rules that several ops share.
 */
import { contractionGradients, einsumGradients } from '../ops/einsum/backwards.js';
import { groupGradients, siblingGradients } from '../ops/group-backwards.js';
import { ops } from '../ops/registry.js';
import { SHARED, type GradientOps, type SharedRules } from '../ops/vjp.js';

const shared: SharedRules = {
  einsum: einsumGradients,
  contraction: contractionGradients,
  group: groupGradients,
  siblings: siblingGradients,
};

/** It follows the record of ops, which knows each that is defined later, too. */
export const gradientOps: GradientOps = /* @__PURE__ */ Object.create(ops, { [SHARED]: { value: shared } }) as GradientOps;
