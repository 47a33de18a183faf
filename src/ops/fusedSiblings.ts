/**
 * @file Several reductions of the same elements in one kernel: what the pass `fuseSiblings` puts in their place.
 *
 * Its one value holds their results along a new axis in front; each of them is a view of it. Every result is what the
 * reduction by itself gives, so joining changes no bit.
 */
import { fault } from '../errors/index.js';
import { formatShape } from '../tensor/shape.js';
import type { Dims } from './dims.js';
import type { FusedParams } from './fused.js';
import { besides, siblingSteps } from './fusedSteps.js';
import { defineOp, type Place } from './op.js';
import { SHARED } from './vjp.js';

export const fusedSiblings = defineOp<'any', FusedParams>({
  name: 'fusedSiblings',
  doc: 'Reductions of the same elements in one kernel, side by side along a new first axis. Made by the pass `fuseSiblings`.',
  arity: 'any',
  params: { steps: siblingSteps },
  dtype: (inputs, params) => {
    const { steps } = params as unknown as FusedParams;
    const [first, ...others] = besides(steps, inputs, (op, args, step) => op.dtype(args, step.params));
    const other = others.find((dtype) => dtype !== first);
    if (other === undefined) return first;
    throw fault('E_DTYPE', { op: 'fusedSiblings', rule: 'siblings must have one dtype', expected: first, actual: other });
  },
  shape: (inputs, { steps }, place) =>
    sideBySide(besides(steps, inputs, (op, args, step) => op.shape(args, step.params, { ...place, op: step.op })), place), // prettier-ignore
  siblings: ({ steps }) => steps,
  tolerance: { relative: 1e-5, absolute: 1e-6 },
  vjp: (dy, inputs, y, g, params) => g[SHARED].siblings(dy, inputs, y, g, params),
  examples: [
    {
      inputs: [
        [
          [1, 3],
          [0, 4],
        ],
      ],
      params: {
        steps: [
          { op: 'sum', params: { axis: -1 }, args: [0] },
          { op: 'max', params: { axis: -1 }, args: [0] },
        ],
      },
      output: [
        [4, 4],
        [3, 4],
      ],
    },
  ],
});

function sideBySide(all: readonly (Dims | undefined)[], place: Place): Dims | undefined {
  if (all.includes(undefined)) return undefined;
  const [first, ...others] = all as readonly Dims[];
  const fits = (dims: Dims): boolean =>
    dims.length === first.length && dims.every((dim, axis) => dim === first[axis] || typeof dim !== 'number' || typeof first[axis] !== 'number'); // prettier-ignore
  const other = others.find((dims) => !fits(dims));
  if (other === undefined) return [all.length, ...first];
  throw fault('E_SHAPE', {
    ...place,
    rule: 'siblings must have one shape',
    expected: formatShape(first),
    actual: formatShape(other),
  });
}
