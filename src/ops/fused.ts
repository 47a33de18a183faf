/**
 * @file A group of elementwise ops that runs as one: what fusion puts in their place.
 *
 * Each step is rounded to its own dtype, as if its result had been stored, so fusing changes no bit.
 */
import { fault } from '../errors/index.js';
import type { ComputedDType } from '../tensor/dtype.js';
import type { Dims } from './dims.js';
import { defineOp, type AnyOp, type Params, type Place } from './op.js';
import { findOp } from './registry.js';
import { s, type Scalar } from './scalar.js';

/** `args` count the group's operands first, then the earlier steps. */
export interface FusedStep {
  readonly op: string;
  readonly params: Params;
  readonly args: readonly number[];
}

type FusedParams = { readonly steps: readonly FusedStep[] };

const opOf = (step: FusedStep): AnyOp => findOp(step.op)!;

/** True for ops whose result at one index depends on the operands at that index alone. */
export const isElementwise = (op: AnyOp | undefined): op is AnyOp =>
  op !== undefined && (op.expr !== undefined || op.exprFor !== undefined);

/** Runs a rule over the steps: `first` for the operands, then one value a step. */
function through<T>(
  steps: readonly FusedStep[],
  operands: readonly T[],
  rule: (op: AnyOp, args: readonly T[], step: FusedStep) => T,
): readonly T[] {
  const values = [...operands];
  for (const step of steps)
    values.push(
      rule(
        opOf(step),
        step.args.map((arg) => values[arg]),
        step,
      ),
    );
  return values;
}

const dtypesThrough = ({ steps }: FusedParams, inputs: readonly ComputedDType[]): readonly ComputedDType[] =>
  through(steps, inputs, (op, args, step) => op.dtype(args, step.params));

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
  through((params as FusedParams).steps, inputs, (op, args, step) => {
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
  params: {
    steps: (value, refuse) => {
      const isStep = (step: FusedStep): boolean =>
        typeof step === 'object' && step !== null && isElementwise(findOp(step.op)) && Array.isArray(step.args);
      return Array.isArray(value) && value.length > 0 && (value as FusedStep[]).every(isStep)
        ? (value as FusedStep[])
        : refuse('a list of elementwise steps');
    },
  },
  dtype: (inputs, params) => dtypesThrough(params as FusedParams, inputs).at(-1)!,
  shape: (inputs, { steps }, place: Place) =>
    through<Dims | undefined>(steps, inputs, (op, args, step) => op.shape(args, step.params, { ...place, op: step.op })).at(-1),
  exprFor:
    (params, inputs) =>
    (...operands) => {
      const dtypes = dtypesThrough(params, inputs);
      const values = [...operands];
      params.steps.forEach((step, at) => {
        const own = step.args.map((arg) => dtypes[arg]);
        const value = expressionOf(
          opOf(step),
          step.params,
          own,
          step.args.map((arg) => values[arg]),
        );
        values.push(at === params.steps.length - 1 ? value : s.roundTo(dtypes[inputs.length + at], value));
      });
      const result = values.at(-1);
      if (result === undefined) throw fault('E_CODEGEN', { op: 'fused', rule: 'a group must have at least one step' });
      return result;
    },
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
