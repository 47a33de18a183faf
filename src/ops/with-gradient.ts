/**
 * @file A value whose gradient is not that of the ops which computed it, but a rule's own.
 *
 * The rule is found by its name, so that the op's parameters stay plain data: a graph that was written and read again needs
 * the rule only where it is differentiated.
 */
import { fault } from '../errors/index.js';
import type { Operand } from './interpreter.js';
import { defineOp } from './op.js';
import { text } from './params.js';

/** Gradients of the operands, given that of the result, the operands, and the result. Undefined: none passes. */
export type GradientRule = (dy: Operand, inputs: readonly Operand[], output: Operand) => readonly (Operand | undefined)[];

/** Which rule is asked. */
export interface WithGradientParams {
  readonly rule: string;
}

const rules = new Map<string, GradientRule>();

/** @throws EinstreamError E_ARGUMENT for a name that is taken */
export function addRule(name: string, rule: GradientRule): void {
  if (rules.has(name))
    throw fault('E_ARGUMENT', { place: 'customGradient', rule: 'a name stands for one rule', actual: `"${name}" is taken` });
  rules.set(name, rule);
}

/** The first operand, a view of it; the rule sees the others as what it was made of. */
export const withGradient = defineOp<'any', WithGradientParams>({
  name: 'withGradient',
  doc: 'The first operand; its gradient goes to the others, by a rule of its own.',
  arity: 'any',
  params: { rule: text },
  dtype: ([value]) => value,
  shape: ([value]) => value,
  view: (value) => value,
  vjp: (dy, [value, ...inputs], _y, _g, { rule }) => [undefined, ...ruleOf(rule)(dy, inputs, value)],
  tolerance: { relative: 0, absolute: 0 },
  examples: [{ inputs: [[1, 2], [3]], params: { rule: 'none' }, output: [1, 2] }],
});

function ruleOf(name: string): GradientRule {
  const rule = rules.get(name);
  if (rule === undefined)
    throw fault('E_GRADIENT', {
      op: 'withGradient',
      rule: `a rule called "${name}" must be defined`,
      hint: 'call customGradient with this name before the graph is differentiated',
    });
  return (dy, inputs, output) => {
    const passed: unknown = rule(dy, inputs, output);
    if (Array.isArray(passed) && passed.length <= inputs.length) return passed as readonly (Operand | undefined)[];
    throw fault('E_GRADIENT', {
      op: 'withGradient',
      rule: `the rule "${name}" gives a list of gradients, one for each operand`,
      expected: `${inputs.length} at most`,
      actual: Array.isArray(passed) ? String(passed.length) : typeof passed,
    });
  };
}
