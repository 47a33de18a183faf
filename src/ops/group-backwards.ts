/**
 * @file The gradient of a group: its steps gone back over one by one, over values that are computed again.
 */
import { backward, type Applied } from './backward.js';
import { through, type FusedStep } from './fusedSteps.js';
import type { Operand } from './interpreter.js';
import { knownOp } from './known.js';
import type { Vjp } from './vjp.js';

/** Fused again, what is computed twice costs no memory; graphs are differentiated before they are fused. */
export const groupGradients: Vjp<{ readonly steps: readonly FusedStep[] }> = (dy, inputs, _y, g, { steps }) => {
  const values = through<Operand>(steps, inputs, (op, args, step) => g[op.name](...args, step.params));
  const applied = steps.map(({ op, params, args }, at) => ({ id: inputs.length + at, op: knownOp(op)!, params, inputs: args }));
  const gradients = new Map<number, Operand>([[values.length - 1, dy]]);
  const way = {
    g,
    valuesOf: ({ inputs: args, id }: Applied) => [...args, id].map((at) => values[at]),
    isWanted: () => true,
    nameOf: (at: number) => (at < inputs.length ? `operand ${at}` : `step ${at - inputs.length}`),
  };
  backward(applied.reverse(), gradients, way, (at) => at < inputs.length);
  return inputs.map((_, at) => gradients.get(at));
};
