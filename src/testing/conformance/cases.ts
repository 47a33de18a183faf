/**
 * @file Cases of single ops: a graph of one node on tensors of one dtype.
 */
import { graph, input } from '../../graph/builder.js';
import type { Graph } from '../../graph/graph.js';
import type { Dims } from '../../ops/dims.js';
import type { AnyOp, Example, Params } from '../../ops/op.js';
import { ops } from '../../ops/registry.js';
import { tensor } from '../../tensor/create.js';
import { arrayOf, type ComputedDType } from '../../tensor/dtype.js';
import { numElements, type Shape } from '../../tensor/shape.js';
import { tensorOver, Tensor } from '../../tensor/tensor.js';
import type { NestedArray } from '../../tensor/nested.js';

export interface OpCase {
  readonly graph: Graph;
  readonly feeds: Readonly<Record<string, Tensor>>;
}

const nameAt = (at: number): string => `x${at}`;

/** A graph that is one op. Undefined where the op refuses operands of these dtypes: then no backend has to run it. */
export function caseOf(op: AnyOp, operands: readonly Tensor[], params: Params = {}): OpCase | undefined {
  const dtypes = operands.map(({ dtype }) => dtype as ComputedDType);
  try {
    op.dtype(dtypes, params);
  } catch {
    return undefined;
  }
  const declared = Object.fromEntries(operands.map(({ shape }, at) => [nameAt(at), input(shape as Dims, { dtype: dtypes[at] })]));
  const made = graph(declared, (symbols) => ({
    y: ops[op.name](...operands.map((_, at) => symbols[nameAt(at)]), params) as never,
  }));
  return { graph: made, feeds: Object.fromEntries(operands.map((operand, at) => [nameAt(at), operand])) };
}

/** The examples of an op's definition, with operands of this dtype wherever they are not indices. */
export function exampleCases(op: AnyOp, dtype: ComputedDType): readonly OpCase[] {
  return op.examples.flatMap((example) => {
    const { inputs, params = {} } = (Array.isArray(example) ? { inputs: [example[0]] } : example) as Example;
    const operands = inputs.map((given, at) => operandOf(given, op.gather !== undefined && at === 1 ? 'int32' : dtype));
    return caseOf(op, operands, params) ?? [];
  });
}

const isTyped = (given: unknown): given is { readonly data: NestedArray } =>
  typeof given === 'object' && given !== null && 'data' in given;

function operandOf(given: unknown, dtype: ComputedDType): Tensor {
  const source =
    given instanceof Tensor ? given : tensor(isTyped(given) ? given.data : (given as NestedArray), { dtype: 'float64' });
  return filled(source.shape, dtype, (i) => Number(source.data[i]));
}

/** A tensor made element by element; for int32 and bool the number is cut to what fits. */
export function filled(shape: Shape, dtype: ComputedDType, value: (index: number) => number): Tensor {
  const array = new (arrayOf(dtype))(numElements(shape)) as Float64Array; // one type stands for all that hold numbers
  for (let i = 0; i < array.length; i++) array[i] = dtype === 'bool' ? Number(value(i) !== 0) : value(i);
  return tensorOver(array, dtype, shape);
}

/** Numbers on which functions differ most: zeros, ones, large, small, and those that are none. */
export const SPECIALS: readonly number[] = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  2,
  -2.5,
  3,
  7,
  100,
  -100,
  1e-30,
  1e30,
  Infinity,
  -Infinity,
  NaN,
];
