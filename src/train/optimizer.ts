/**
 * @file What an optimizer is: a rule, made of ops, from a parameter and its gradient to the next parameter.
 *
 * It holds no state. What it remembers of each parameter are its slots, tensors that the training state carries.
 */
import type { Operand } from '../ops/interpreter.js';

/** What a rule is given for one parameter. */
export interface Update {
  readonly param: Operand;
  readonly gradient: Operand;
  /** By name, as they were left by the step before; zeros at first. */
  readonly slots: Readonly<Record<string, Operand>>;
  /** By name, as `scalars` gave them for this step. */
  readonly scalars: Readonly<Record<string, Operand>>;
}

/** What a rule gives for one parameter: what comes next. */
export interface Updated {
  readonly param: Operand;
  readonly slots: Readonly<Record<string, Operand>>;
}

/** A rule for parameters: `sgd`, `adam`, or one of your own. */
export interface Optimizer {
  /** In a saved state: it fits an optimizer of this name alone. */
  readonly name: string;
  /** What it remembers of each parameter. */
  readonly slots: readonly string[];
  /** Numbers that change from step to step (counted from 1), found on the host in float64. */
  readonly scalars: (step: number) => Readonly<Record<string, number>>;
  readonly update: (given: Update) => Updated;
}
