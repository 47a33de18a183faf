/**
 * @file The gradient of a group: its steps gone back over one by one, over values that are computed again.
 */
import { backward, type Applied } from './backward.js';
import { through, type FusedStep } from './fusedSteps.js';
import type { Operand } from './interpreter.js';
import { knownOp } from './known.js';
import type { GradientOps, Vjp } from './vjp.js';

type GroupVjp = Vjp<{ readonly steps: readonly FusedStep[] }>;

/** Fused again, what is computed twice costs no memory; graphs are differentiated before they are fused. */
export const groupGradients: GroupVjp = (dy, inputs, _y, g, { steps }) =>
  back(inputs, g, steps, new Map([[inputs.length + steps.length - 1, dy]]));

/** Each sibling has its own part of the gradient. */
export const siblingGradients: GroupVjp = (dy, inputs, _y, g, { steps }) =>
  back(inputs, g, steps, new Map(steps.map((_, index) => [inputs.length + index, g['slice'](dy, { specs: [{ kind: 'at', index }] })]))); // prettier-ignore

function back(
  inputs: readonly Operand[],
  g: GradientOps,
  steps: readonly FusedStep[],
  gradients: Map<number, Operand>,
): readonly (Operand | undefined)[] {
  const values = through<Operand>(steps, inputs, (op, args, step) => g[op.name](...args, step.params));
  const applied = steps.map(({ op, params, args }, at) => ({ id: inputs.length + at, op: knownOp(op)!, params, inputs: args }));
  const way = {
    g,
    valuesOf: ({ inputs: args, id }: Applied) => [...args, id].map((at) => values[at]),
    isWanted: () => true,
    nameOf: (at: number) => (at < inputs.length ? `operand ${at}` : `step ${at - inputs.length}`),
  };
  backward(applied.reverse(), gradients, way, (at) => at < inputs.length);
  return inputs.map((_, at) => gradients.get(at));
}
