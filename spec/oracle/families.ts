/**
 * @file How each family of the corpus is computed, given what an op's name and parameters do.
 *
 * `apply` is the backend's part: the ops of `ops` compute at once; another spec passes one that builds a graph and runs it.
 */
import { ops } from '../../src/ops/registry.js';
import { softLogic, type Logic, type SoftLogic } from '../../src/ops/softlogic/index.js';
import type { Params } from '../../src/ops/op.js';
import type { Tensor } from '../../src/tensor/tensor.js';
import { decode, tensorOf, type Case } from './corpus.js';

/** Carries out the op of that name (any that `ops` knows). */
export type Apply = (op: string, inputs: readonly Tensor[], params?: Params) => Tensor;

/** The ops themselves, on tensors. */
export const eagerly: Apply = (op, inputs, params = {}) => ops[op](...inputs, params) as Tensor;

/** In this family `not` is boolean. */
export const computeUnary = (c: Case, apply: Apply): Tensor =>
  apply(c.op === 'not' ? 'logicalNot' : c.op!, c.inputs.map(tensorOf));

const BOOLEAN = new Set(['and', 'or', 'xor', 'nand', 'nor']);

/** In this family the connectives are boolean; `clip` gives its bounds as scalars. */
export function computeBinary(c: Case, apply: Apply): Tensor {
  const inputs = c.inputs.map(tensorOf);
  if (c.op === 'clip')
    return apply('clip', inputs.slice(0, 1), { min: decode(c.inputs[1].data[0]), max: decode(c.inputs[2].data[0]) });
  return apply(BOOLEAN.has(c.op!) ? `logical_${c.op}` : c.op!, inputs);
}

/** reduce and softmax: names and parameters are the engine's own. */
export const computeNamed = (c: Case, apply: Apply): Tensor => apply(c.op!, c.inputs.map(tensorOf), c.params);

/** Builds and runs a function of tensors, eagerly or through a graph. */
export type Build = (rule: (...operands: readonly Tensor[]) => Tensor, inputs: readonly Tensor[]) => Tensor;

export const built: Build = (rule, inputs) => rule(...inputs);

export function computeSoftlogic(c: Case, build: Build): Tensor {
  const { logic, negation, axis } = c.params as { readonly logic: Logic; readonly negation?: 'godel'; readonly axis?: number };
  const op = c.op === 'implies_r' || c.op === 'implies_s' ? 'implies' : (c.op as keyof SoftLogic);
  const connectives = softLogic(logic, { implies: c.op === 'implies_s' ? 'material' : 'residuum', not: negation });
  return build((...operands) => {
    const connective = connectives[op] as unknown as (...args: readonly unknown[]) => Tensor;
    return connective(...operands, ...(axis === undefined ? [] : [{ axis }]));
  }, c.inputs.map(tensorOf));
}

/** The spec is a parameter of the op. */
export const computeEinsum = (c: Case, apply: Apply): Tensor => apply('einsum', c.inputs.map(tensorOf), { spec: c.spec! });
