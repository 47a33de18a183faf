/**
 * @file Who carries out an op. An op never knows: it asks the highest interpreter among its operands.
 *
 * Tensors compute at once (level 0); a graph's symbols add a node; a tape's variables compute and record.
 */
import { Tensor } from '../tensor/tensor.js';
import type { AnyOp, Params } from './op.js';

/** The property by which a traced value names its interpreter. */
export const INTERPRETER: unique symbol = Symbol('einstream.interpreter');

/** Gives a meaning to ops on values of its own kind: a graph under construction adds a node, plain tensors compute. */
export interface Interpreter {
  /** Tensors 0, variables 1, symbols 2: the highest of the operands acts. */
  readonly level: number;
  apply(op: AnyOp, operands: readonly Operand[], params: Params): Traced | Tensor;
}

/** A value that stands for a computation. */
export interface Traced {
  readonly [INTERPRETER]: Interpreter;
}

/** What an op takes. A number stands for a scalar constant of the other operands' dtype. */
export type Operand = Tensor | number | Traced;

/** What an op gives: the traced kind if there is one among the operands, else a tensor. */
export type ResultOf<A extends Operand> = [Extract<A, Traced>] extends [never] ? Tensor : Extract<A, Traced>;

export const isTraced = (value: unknown): value is Traced => typeof value === 'object' && value !== null && INTERPRETER in value;

export const isOperand = (value: unknown): value is Operand =>
  typeof value === 'number' || value instanceof Tensor || isTraced(value);

let eager: Interpreter | undefined;

/** Sets what computes on plain tensors. Called once at load by `evaluate.ts`, then by `run`. */
export const setEagerInterpreter = (interpreter: Interpreter): void => {
  eager = interpreter;
};

/** The interpreter that acts for these operands. */
export function interpreterOf(operands: readonly Operand[]): Interpreter {
  let highest = eager;
  for (const operand of operands) {
    if (isTraced(operand) && (highest === undefined || operand[INTERPRETER].level > highest.level))
      highest = operand[INTERPRETER];
  }
  if (highest === undefined) throw new Error('no eager interpreter was loaded');
  return highest;
}
