/**
 * @file Reductions with the elementwise ops before, between and behind them, in one kernel: what the pass `fuseFolds` puts in their place.
 *
 * Each step is rounded to its own dtype, as if its result had been stored, so fusing changes no bit. Steps whose shapes do not
 * fit one kernel mean the same, one kernel a step.
 */
import { dimsThrough, dtypesThrough, type FusedParams } from './fused.js';
import { foldOfSteps } from './foldOfSteps.js';
import { foldSteps } from './fusedSteps.js';
import { defineOp } from './op.js';
import { SHARED } from './vjp.js';

export const fusedFold = defineOp<'any', FusedParams>({
  name: 'fusedFold',
  doc: 'Reductions and the elementwise ops around them in one kernel. Made by the pass `fuseFolds`; every step rounds to its own dtype.',
  arity: 'any',
  params: { steps: foldSteps },
  dtype: (inputs, params) => dtypesThrough(params as unknown as FusedParams, inputs).at(-1)!,
  shape: (inputs, params, place) => dimsThrough(params, inputs, place),
  fold: ({ steps }, inputs, dtypes) => foldOfSteps(steps, inputs, dtypes),
  steps: ({ steps }) => steps,
  tolerance: { relative: 1e-5, absolute: 1e-6 },
  vjp: (dy, inputs, y, g, params) => g[SHARED].group(dy, inputs, y, g, params),
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
          { op: 'mean', params: { axis: -1, keepdims: true }, args: [0] },
          { op: 'sub', params: {}, args: [0, 1] },
        ],
      },
      output: [
        [-1, 1],
        [-2, 2],
      ],
    },
  ],
});
