/**
 * @file How an op passes a gradient back: the vector–Jacobian product, made of ops like any other value.
 *
 * A rule never asks who computes. On symbols it adds nodes, so a gradient is optimised, fused and differentiable again; on
 * tensors it computes, and on variables it is recorded.
 */
import type { Labels } from './einsum/resolve.js';
import type { FusedStep } from './fusedSteps.js';
import type { Operand } from './interpreter.js';

/** The property by which rules reach what several of them share. */
export const SHARED: unique symbol = Symbol('einstream.shared rules');

/** Long rules, which whoever differentiates brings: a page that never does has the ops without them. */
export interface SharedRules {
  readonly einsum: (dy: Operand, inputs: readonly Operand[], spec: string, g: GradientOps) => readonly Operand[];
  readonly contraction: (dy: Operand, inputs: readonly Operand[], labels: Labels, g: GradientOps) => readonly Operand[];
  readonly group: Vjp<{ readonly steps: readonly FusedStep[] }>;
  readonly siblings: Vjp<{ readonly steps: readonly FusedStep[] }>;
}

/** Every op by name, for rules: `g.mul(dy, y)`. A number stands for a scalar of the other operands' dtype. */
export type GradientOps = Readonly<Record<string, (...args: readonly unknown[]) => Operand>> & { readonly [SHARED]: SharedRules };

/**
 * The gradients of the operands, given `dy`, that of the result: for each operand one of a shape that its own broadcasts to
 * (whoever applies the rule sums it back), or undefined where none passes, as through a comparison.
 *
 * `inputs` and `output` are the values themselves; a rule that reads one keeps it alive until the gradient is known.
 */
export type Vjp<P> = (
  dy: Operand,
  inputs: readonly Operand[],
  output: Operand,
  g: GradientOps,
  params: P,
) => readonly (Operand | undefined)[];

/**
 * Of a function of one operand: dy times its slope. Where dy is 0 the gradient is 0 however steep the function is: in the branch
 * that a `where` does not take, log 0 does no harm.
 */
export const slope =
  <P = unknown>(rule: (x: Operand, y: Operand, g: GradientOps, params: P) => Operand): Vjp<P> =>
  (dy, [x], y, g, params) => [g.mulNoNan(dy, rule(x, y, g, params))];

/** No gradient passes: the function is constant almost everywhere. */
export const flat: Vjp<unknown> = () => [];
