/**
 * @file Variables: tensors that remember how they were made, so that gradients flow back to where they came from.
 *
 * Ops on a variable compute at once and give a variable; host loops and conditions work as they do on numbers.
 */
import { describeValue, fault } from '../errors/index.js';
import { INTERPRETER, interpreterOf, type Interpreter, type Operand, type Traced } from '../ops/interpreter.js';
import { tensorsOf } from '../ops/evaluate/operands.js';
import type { AnyOp, Params } from '../ops/op.js';
import { isFloating, type DType } from '../tensor/dtype.js';
import type { Shape } from '../tensor/shape.js';
import { Tensor } from '../tensor/tensor.js';
import { leaf, record, type TapeList, type TapeNode } from './tape.js';

/** How a variable is made. */
export interface VariableOptions {
  /** False: nothing is recorded of what is made from it alone. True by default. */
  readonly requiresGrad?: boolean;
}

/** A tensor whose ops are recorded. */
export interface Variable extends Traced {
  /** Unique among variables. */
  readonly id: number;
  readonly value: Tensor;
  readonly shape: Shape;
  readonly dtype: DType;
  readonly requiresGrad: boolean;
  /** The sum of the gradients of all ways back so far; undefined before the first. Only variables made by `variable` have one. */
  readonly grad: Tensor | undefined;
  /** Forgets `grad`. */
  zeroGrad(): void;
  /** The same value, of which nothing is recorded. */
  detach(): Variable;
  toArray(): ReturnType<Tensor['toArray']>;
}

const nodes = new WeakMap<Variable, TapeNode>();

export const isVariable = (value: unknown): value is Variable =>
  typeof value === 'object' && value !== null && nodes.has(value as Variable);

export const nodeOfVariable = (variable: Variable): TapeNode => nodes.get(variable)!;

/** A variable of a node that is there. */
export function variableOf(value: Tensor, node: TapeNode, requiresGrad: boolean): Variable {
  const made: Variable = {
    [INTERPRETER]: recording,
    id: node.id,
    value,
    shape: value.shape,
    dtype: value.dtype,
    requiresGrad,
    get grad() {
      return node.grad;
    },
    zeroGrad() {
      node.grad = undefined;
    },
    detach: () => variableOf(value, leaf([]), false),
    toArray: () => value.toArray(),
  };
  nodes.set(made, node);
  return Object.freeze(made);
}

/**
 * A variable that starts with the value of a tensor.
 *
 * ```ts
 * const x = variable(tensor([1, 2, 3]));
 * backward(sum(square(x))).of(x).toArray() // => [2, 4, 6]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for what is no tensor, E_GRADIENT for integers, which have no gradient
 */
export const variable = (value: Tensor, options?: VariableOptions): Variable => variableOn([], value, options);

export function variableOn(tapes: readonly TapeList[], value: Tensor, { requiresGrad = true }: VariableOptions = {}): Variable {
  if (!(value instanceof Tensor))
    throw fault('E_ARGUMENT', {
      place: 'variable',
      rule: 'a variable starts with a tensor',
      actual: describeValue(value),
      hint: 'wrap it: tensor(…)',
    });
  if (requiresGrad && !isFloating(value.dtype))
    throw fault('E_GRADIENT', {
      place: 'variable',
      rule: 'a variable must be floating-point',
      expected: 'float32 or float64',
      actual: value.dtype,
      hint: 'cast it, or give { requiresGrad: false }',
    });
  return variableOf(value, leaf(tapes), requiresGrad);
}

let pauses = 0;

/**
 * What `compute` gives, with nothing recorded on the way.
 *
 * ```ts
 * const x = variable(tensor([1, 2]));
 * noGrad(() => square(x)).requiresGrad // => false
 * ```
 */
export function noGrad<T>(compute: () => T): T {
  pauses++;
  try {
    return compute();
  } finally {
    pauses--;
  }
}

const valueOf = (operand: Operand): Tensor | number => (isVariable(operand) ? operand.value : (operand as Tensor | number));

/** Computes on the values, and notes it where a gradient may be asked for. */
const recording: Interpreter = {
  level: 1,
  apply(op: AnyOp, operands: readonly Operand[], params: Params) {
    const tensors = tensorsOf(op, operands.map(valueOf)); // prettier-ignore
    const result = interpreterOf(tensors).apply(op, tensors, params) as Tensor;
    const inputs = operands.map((each) => (isVariable(each) && each.requiresGrad ? nodeOfVariable(each) : undefined));
    const isRecorded = pauses === 0 && isFloating(result.dtype) && inputs.some((node) => node !== undefined);
    return isRecorded
      ? variableOf(result, record(op, params, inputs, [...tensors, result]), true)
      : variableOf(result, leaf([]), false);
  },
};
