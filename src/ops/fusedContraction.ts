/**
 * @file A contraction and the elementwise ops that follow it, in one kernel: what the pass `fuseEpilogues` puts in their place.
 *
 * The sum is rounded to its dtype before anything reads it, as each later step is, so fusing changes no bit.
 */
import type { ComputedDType } from '../tensor/dtype.js';
import { dimsThrough, dtypesThrough, typedStep, type FusedParams, type Typed } from './fused.js';
import { contractionSteps, through } from './fusedSteps.js';
import { defineOp, type Epilogue } from './op.js';
import { knownOp } from './known.js';
import { s } from './scalar.js';
import { SHARED } from './vjp.js';

/** The dtypes that a kernel may read, hold and write beside sums of a dtype: those that do not widen, narrow or wrap them. */
const COMPANIONS: Readonly<Record<ComputedDType, readonly ComputedDType[]>> = {
  float64: ['float64', 'float32', 'bool'],
  float32: ['float32', 'bool'],
  int32: ['int32'],
  bool: ['bool'],
};

function epilogueOf(params: FusedParams, inputs: readonly ComputedDType[]): Epilogue {
  const [contraction, ...steps] = params.steps;
  const read = steps.flatMap(({ args }) => args.filter((arg) => arg < inputs.length));
  const further = [...new Set(read)].sort((a, b) => a - b);
  const dtypes = dtypesThrough(params, inputs);
  const [dtype, ...later] = dtypes.slice(inputs.length);
  const beside = [...later, ...further.map((position) => inputs[position])];
  return {
    contracted: contraction.args,
    further,
    dtype,
    isJoint: beside.every((each) => COMPANIONS[dtype].includes(each)),
    value(element, terms) {
      // Operands that are contracted only are read by no other step.
      const operands = inputs.map((own, k): Typed => ({ term: terms[further.indexOf(k)] ?? s.constant(NaN), dtype: own }));
      const sum: Typed = { term: s.roundTo(dtype, element), dtype };
      return through(params.steps, operands, (op, args, step) => (step === contraction ? sum : typedStep(params, op, args, step))).at(-1)!.term; // prettier-ignore
    },
  };
}

export const fusedContraction = defineOp<'any', FusedParams>({
  name: 'fusedContraction',
  doc: 'A contraction and the elementwise ops on its result in one kernel. Made by the pass `fuseEpilogues`; every step rounds to its own dtype.',
  arity: 'any',
  params: { steps: contractionSteps },
  dtype: (inputs, params) => dtypesThrough(params as unknown as FusedParams, inputs).at(-1)!,
  shape: (inputs, params, place) => dimsThrough(params, inputs, place),
  contract: ({ steps: [{ op, params, args }] }, inputs) => knownOp(op)!.contract!(params, args.map((arg) => inputs[arg])), // prettier-ignore
  epilogue: epilogueOf,
  tolerance: { relative: 1e-5, absolute: 1e-6 },
  vjp: (dy, inputs, y, g, params) => g[SHARED].group(dy, inputs, y, g, params),
  examples: [
    {
      inputs: [
        [
          [1, 2],
          [3, -4],
        ],
        [1, 1],
        0.5,
      ],
      params: {
        steps: [
          { op: 'matmul', params: {}, args: [0, 1] },
          { op: 'add', params: {}, args: [3, 2] },
          { op: 'relu', params: {}, args: [4] },
        ],
      },
      output: [3.5, 0],
    },
  ],
});
