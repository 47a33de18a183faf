/**
 * @file A group of elementwise ops that runs as one: what fusion puts in their place.
 *
 * Each step is rounded to its own dtype, as if its result had been stored, so fusing changes no bit.
 */
import type { ComputedDType } from '../tensor/dtype.js';
import type { Dims } from './dims.js';
import { defineOp, type AnyOp, type Params, type Place } from './op.js';
import { fusedSteps, through, type FusedStep } from './fusedSteps.js';
import { s, type Scalar } from './scalar.js';
import { SHARED } from './vjp.js';

export { isElementwise, type FusedStep } from './fusedSteps.js';

/** A value on its way through the steps. */
export interface Typed {
  readonly term: Scalar;
  readonly dtype: ComputedDType;
}

/** The parameters of a group. */
export interface FusedParams {
  readonly steps: readonly FusedStep[];
}

/** The dtype of each operand, then of each step. */
export const dtypesThrough = ({ steps }: FusedParams, inputs: readonly ComputedDType[]): readonly ComputedDType[] =>
  through(steps, inputs, (op, args, step) => op.dtype(args, step.params));

/** The dims of the last step. */
export const dimsThrough = ({ steps }: FusedParams, inputs: readonly (Dims | undefined)[], place: Place): Dims | undefined =>
  through<Dims | undefined>(steps, inputs, (op, args, step) => op.shape(args, step.params, { ...place, op: step.op })).at(-1);

/** An elementwise step: its value goes on with its dtype, rounded to it; the last one is rounded where it is stored. */
export function typedStep({ steps }: FusedParams, op: AnyOp, args: readonly Typed[], step: FusedStep): Typed {
  const dtypes = args.map((arg) => arg.dtype);
  const dtype = op.dtype(dtypes, step.params);
  const term = expressionOf(op, step.params, dtypes, args.map((arg) => arg.term)); // prettier-ignore
  return { term: step === steps.at(-1) ? term : s.roundTo(dtype, term), dtype };
}

/** An op of a group, with the dtypes that it reads and gives: undefined where an operand's is not known yet. */
export interface PlainOp {
  readonly op: string;
  readonly inputs: readonly (ComputedDType | undefined)[];
  readonly output: ComputedDType | undefined;
}

/** The ops that a group stands for, in order. */
export function plainOps(params: Params, inputs: readonly (ComputedDType | undefined)[]): readonly PlainOp[] {
  const plain: PlainOp[] = [];
  const isKnown = (dtypes: readonly (ComputedDType | undefined)[]): dtypes is readonly ComputedDType[] =>
    !dtypes.includes(undefined);
  through((params as unknown as FusedParams).steps, inputs, (op, args, step) => {
    const output = isKnown(args) ? op.dtype(args, step.params) : undefined;
    plain.push({ op: step.op, inputs: args, output });
    return output;
  });
  return plain;
}

/** The scalar expression of an elementwise op over given operands. */
export function expressionOf(op: AnyOp, params: Params, dtypes: readonly ComputedDType[], operands: readonly Scalar[]): Scalar {
  const rule: (...all: readonly Scalar[]) => Scalar = op.exprFor?.(params, dtypes) ?? op.expr!;
  return rule(...operands);
}

export const fused = defineOp<'any', FusedParams>({
  name: 'fused',
  doc: 'Several elementwise ops in one kernel. Made by the pass `fuseElementwise`; every step rounds to its own dtype.',
  arity: 'any',
  params: { steps: fusedSteps },
  dtype: (inputs, params) => dtypesThrough(params as unknown as FusedParams, inputs).at(-1)!,
  shape: (inputs, params, place) => dimsThrough(params, inputs, place),
  exprFor:
    (params, inputs) =>
    (...operands) =>
      through(
        params.steps,
        operands.map((term, k): Typed => ({ term, dtype: inputs[k] })),
        (op, args, step) => typedStep(params, op, args, step),
      ).at(-1)!.term,
  vjp: (dy, inputs, y, g, params) => g[SHARED].group(dy, inputs, y, g, params),
  examples: [
    {
      inputs: [[-1, 2]],
      params: {
        steps: [
          { op: 'relu', params: {}, args: [0] },
          { op: 'add', params: {}, args: [1, 0] },
        ],
      },
      output: [-1, 4],
    },
  ],
});
