/**
 * @file A user's function of operands with a gradient of its own.
 */
import { describeValue, fault } from '../errors/index.js';
import { isOperand, type Operand, type ResultOf } from '../ops/interpreter.js';
import { addRule, withGradient, type GradientRule } from '../ops/with-gradient.js';
import { noGrad } from './variable.js';

/** A function of operands, with the gradient that it was given. */
export type Differentiable = <A extends Operand>(...operands: readonly A[]) => ResultOf<A>;

/**
 * A function whose gradient is `rule`, whatever ops `forward` is made of: a numerically better one, a straight-through estimate,
 * or one through an op that has none. It works on symbols, tensors and variables, and to any order that the rule's ops have.
 *
 * ```ts
 * const rounded = customGradient('straightThroughRound', (x) => round(x), (dy) => [dy]);
 * const x = variable(tensor([0.4, 1.6]));
 * backward(sum(mul(rounded(x), 10))).of(x).toArray() // => [10, 10]
 * ```
 *
 * @param name unique; graphs name the rule by it
 * @param forward made of ops
 * @param rule made of ops too: the gradients of the operands, each of a shape that its operand broadcasts to
 * @throws EinstreamError E_ARGUMENT for a name that is taken or empty, and for what is no function; on differentiating,
 *   E_GRADIENT for a rule that gives no list
 */
export function customGradient(
  name: string,
  forward: (...operands: readonly Operand[]) => Operand,
  rule: GradientRule,
): Differentiable {
  if (typeof name !== 'string' || name === '') throw wrong('a rule has a name', name);
  if (typeof forward !== 'function') throw wrong('forward is a function of operands', forward);
  if (typeof rule !== 'function') throw wrong('the rule is a function of dy, inputs and output', rule);
  addRule(name, rule);
  return (<A extends Operand>(...operands: readonly A[]) => {
    // What forward does on the way is nobody's to go back over.
    const value = noGrad(() => forward(...operands));
    if (!isOperand(value)) throw wrong('forward gives one operand', value);
    return withGradient([value, ...operands], { rule: name });
  }) as Differentiable;
}

const wrong = (rule: string, actual: unknown) =>
  fault('E_ARGUMENT', { place: 'customGradient', rule, actual: describeValue(actual) });
