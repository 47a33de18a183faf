/**
 * @file The examples of an op's definition as tensors, and how a result is held against one.
 */
import type { AnyOp, Example, Params } from '../../src/ops/op.js';
import { tensor } from '../../src/tensor/create.js';
import type { DType } from '../../src/tensor/dtype.js';
import { Tensor, type NestedArray } from '../../src/tensor/tensor.js';

export interface GivenExample {
  readonly inputs: readonly Tensor[];
  readonly params: Params;
  readonly output: unknown;
}

const isTyped = (input: unknown): input is { readonly data: NestedArray; readonly dtype: DType } =>
  typeof input === 'object' && input !== null && 'dtype' in input;

const tensorOfExample = (input: unknown): Tensor =>
  isTyped(input) ? tensor(input.data, { dtype: input.dtype }) : tensor(input as NestedArray);

/** Both forms in one: `[x, y]` of a unary op is an example on a scalar. */
export const examplesOf = (op: AnyOp): readonly GivenExample[] =>
  op.examples.map((example) => {
    const {
      inputs,
      params = {},
      output,
    } = Array.isArray(example) ? { inputs: [example[0]], output: example[1] as unknown } : (example as Example);
    return { inputs: inputs.map(tensorOfExample), params, output };
  });

/** Leaves of nested arrays, in order, with the lengths on the way, so that equal lists mean equal nesting. */
function leaves(value: unknown): readonly (number | string)[] {
  if (Array.isArray(value)) return [`[${value.length}`, ...value.flatMap(leaves)];
  return [typeof value === 'boolean' ? Number(value) : (value as number)];
}

/** Examples are written with seven digits. */
const isNear = (got: number | string, want: number | string): boolean =>
  Object.is(got, want) || (typeof got === 'number' && typeof want === 'number' && Math.abs(got - want) <= 1e-6 * Math.abs(want));

/** Where a result is not what an example says; empty where it is. */
export function differences(got: Tensor, output: unknown): readonly string[] {
  const [is, wanted] = [leaves(got.toArray()), leaves(isTyped(output) ? output.data : output)];
  if (is.length !== wanted.length) return [`expected ${JSON.stringify(output)}, got ${JSON.stringify(got.toArray())}`];
  const wrong = is.flatMap((leaf, i) => (isNear(leaf, wanted[i]) ? [] : [`expected ${wanted[i]}, got ${leaf}`]));
  return isTyped(output) && output.dtype !== got.dtype ? [...wrong, `expected ${output.dtype}, got ${got.dtype}`] : wrong;
}
