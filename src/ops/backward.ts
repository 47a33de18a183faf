/**
 * @file Reverse mode: from the gradients of some values to those of all that they were made of, one op after another.
 *
 * Who computes is left open: values may be a graph's symbols, tensors, or a tape's variables.
 */
import { fault } from '../errors/index.js';
import { isComputed, isFloating, type ComputedDType, type DType } from '../tensor/dtype.js';
import type { Operand } from './interpreter.js';
import type { AnyOp, Params } from './op.js';
import type { GradientOps } from './vjp.js';
import { sumBack } from './sum-back.js';

/** One op as it was applied. Values are numbered; operands come before results. */
export interface Applied {
  readonly id: number;
  readonly op: AnyOp;
  readonly params: Params;
  readonly inputs: readonly number[];
}

export interface Backward<A extends Applied> {
  /** The ops that rules are made of. */
  readonly g: GradientOps;
  /** What went in, and what came out behind it. */
  readonly valuesOf: (applied: A) => readonly Operand[];
  /** True for values whose gradient is wanted, or that such a value depends on. */
  readonly isWanted: (id: number) => boolean;
  /** What is done at an op without a rule: nothing passes it, or E_GRADIENT (the default). */
  readonly missing?: 'throw' | 'skip';
  /** How a value is called in errors. */
  readonly nameOf: (id: number) => string;
}

const dtypeOf = (value: Operand): DType | undefined => (value as { readonly dtype?: DType }).dtype;

/** Gradients flow through floating-point values; what is not known yet may be one. */
export const isDifferentiable = (value: Operand): boolean => {
  const dtype = dtypeOf(value);
  return dtype === undefined || isFloating(dtype);
};

/**
 * Adds to `gradients` those of every wanted operand of `all`, which are in reverse order. A gradient is complete when its
 * own op is reached; those of ops that were passed are dropped unless `keep` says otherwise.
 *
 * @throws EinstreamError E_GRADIENT for an op without a rule
 */
export function backward<A extends Applied>(
  all: Iterable<A>,
  gradients: Map<number, Operand>,
  { g, valuesOf, isWanted, nameOf, missing = 'throw' }: Backward<A>,
  keep: (id: number) => boolean,
): void {
  for (const applied of all) {
    const { id, op, params, inputs } = applied;
    const dy = gradients.get(id);
    if (dy === undefined) continue;
    if (!keep(id)) gradients.delete(id);
    if (op.vjp === undefined && missing === 'skip') continue;
    if (op.vjp === undefined) throw withoutRule(op, nameOf(id), inputs.filter(isWanted).map(nameOf));
    const values = valuesOf(applied);
    const passed = op.vjp(dy, values.slice(0, -1), values.at(-1)!, g, params);
    for (let k = 0; k < inputs.length; k++) {
      const given = passed[k];
      if (given === undefined || !isWanted(inputs[k]) || !isDifferentiable(values[k])) continue;
      const own = fitted(given, values[k], g);
      const before = gradients.get(inputs[k]);
      gradients.set(inputs[k], before === undefined ? own : g.add(before, own));
    }
  }
}

/** In the shape and dtype of the operand. */
function fitted(dy: Operand, x: Operand, g: GradientOps): Operand {
  const summed = sumBack(dy, x, g);
  const [have, want] = [dtypeOf(summed), dtypeOf(x)];
  if (want === undefined || have === want || !isComputed(want)) return summed;
  return g.cast(summed, { dtype: want satisfies ComputedDType });
}

const withoutRule = (op: AnyOp, name: string, operands: readonly string[]) =>
  fault('E_GRADIENT', {
    place: name,
    op: op.name,
    rule: `op ${op.name} has no rule for gradients`,
    actual: `needed on the way to ${operands.join(', ')}`,
    hint: 'give its definition a `vjp`, or stop the gradient before it with stopGradient(x)',
  });
