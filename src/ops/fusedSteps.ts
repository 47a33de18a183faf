/**
 * @file The steps of a fused group as a parameter: they may come from a text, so all that they say is read by rules.
 */
import { fault } from '../errors/index.js';
import type { AnyOp, Params } from './op.js';
import { readParams, type ParamRule } from './params.js';
import { knownOp } from './known.js';

/** `args` count the group's operands first, then the earlier steps. */
export interface FusedStep {
  readonly op: string;
  readonly params: Params;
  readonly args: readonly number[];
}

/** Most steps of a group that is given; groups that passes make are bounded by the backend. */
const MAX_STEPS = 512;

/** True for ops whose result at one index depends on the operands at that index alone. */
export const isElementwise = (op: AnyOp | undefined): op is AnyOp =>
  op !== undefined && (op.expr !== undefined || op.exprFor !== undefined);

/** True for ops that are a sum of products, and nothing else. */
export const isContraction = (op: AnyOp | undefined): op is AnyOp => op?.contract !== undefined && op.epilogue === undefined;

/** Names of the ops whose parameters are steps of others. */
const GROUPS: readonly string[] = ['fused', 'fusedContraction', 'fusedFold'];

/** True for the name of an op that stands for others. */
export const isGroup = (name: string): boolean => GROUPS.includes(name);

/** True for ops that fold their first operand, which is the only one that they must have: reductions, softmax, normalisation. */
export const isFold = (op: AnyOp | undefined): op is AnyOp =>
  op?.fold !== undefined && op.steps === undefined && op.minInputs === 1;

const isPlainStep = (op: AnyOp | undefined): op is AnyOp => isElementwise(op) && !isGroup(op.name);

/** Steps, each an elementwise op other than a group, with as many arguments as it takes. */
export const fusedSteps: ParamRule<readonly FusedStep[]> = (value, refuse) => {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_STEPS) return refuse(`a list of 1 to ${MAX_STEPS} steps`);
  return Object.freeze(
    Array.from(value as readonly unknown[], (step) => readStep(step, isPlainStep) ?? refuse('a list of elementwise steps')),
  );
};

/** The same with a contraction for the first. */
export const contractionSteps: ParamRule<readonly FusedStep[]> = (value, refuse) => {
  if (!Array.isArray(value) || value.length < 2 || value.length > MAX_STEPS) return refuse(`a list of 2 to ${MAX_STEPS} steps`);
  return Object.freeze(
    Array.from(
      value as readonly unknown[],
      (step, at) => readStep(step, at === 0 ? isContraction : isPlainStep) ?? refuse('a contraction, then elementwise steps'),
    ),
  );
};

/** Elementwise steps and folds in any order, at least one of them a fold. */
export const foldSteps: ParamRule<readonly FusedStep[]> = (value, refuse) => {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_STEPS) return refuse(`a list of 1 to ${MAX_STEPS} steps`);
  const isAllowed = (op: AnyOp | undefined): op is AnyOp => isPlainStep(op) || isFold(op);
  const steps = Array.from(
    value as readonly unknown[],
    (step) => readStep(step, isAllowed) ?? refuse('a list of elementwise steps and folds'),
  );
  return steps.some(({ op }) => isFold(knownOp(op))) ? Object.freeze(steps) : refuse('a list with a fold');
};

function readStep(step: unknown, isAllowed: (op: AnyOp | undefined) => op is AnyOp): FusedStep | undefined {
  if (typeof step !== 'object' || step === null) return undefined;
  const { op: name, params, args } = step as Readonly<Record<string, unknown>>;
  const op = typeof name === 'string' ? knownOp(name) : undefined;
  if (!isAllowed(op) || !Array.isArray(args)) return undefined;
  const places = Array.from(args as readonly unknown[]);
  const isPlace = (place: unknown): place is number => Number.isSafeInteger(place) && (place as number) >= 0;
  if (places.length < op.minInputs || places.length > op.maxInputs || !places.every(isPlace)) return undefined;
  return Object.freeze({ op: op.name, params: readParams(op, params, { op: op.name }), args: Object.freeze(places) });
}

/** Runs a rule over the steps: the operands first, then one value a step. */
export function through<T>(
  steps: readonly FusedStep[],
  operands: readonly T[],
  rule: (op: AnyOp, args: readonly T[], step: FusedStep) => T,
): readonly T[] {
  const values = [...operands];
  for (const step of steps) {
    for (const arg of step.args) if (arg >= values.length) throw unknownPlace(arg, values.length);
    const args = step.args.map((arg) => values[arg]);
    values.push(rule(knownOp(step.op)!, args, step));
  }
  return values;
}

const unknownPlace = (arg: number, count: number): Error =>
  fault('E_ARGUMENT', {
    op: 'fused',
    rule: 'a step reads operands of the group and earlier steps',
    expected: `an argument below ${count}`,
    actual: String(arg),
  });
