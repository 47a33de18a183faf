/**
 * @file Contractions: one nest for each pairwise step of the contraction path, results of earlier steps in temporaries.
 */
import { rowMajorStrides } from '../../tensor/shape.js';
import { s, type Scalar } from '../../ops/scalar.js';
import type { Contraction } from '../../ops/einsum/resolve.js';
import { contractionPath, pairwise } from '../../plan/path/index.js';
import type { NestIR, TensorType } from '../ir.js';
import type { Application, KernelCall, Place, Work } from '../lower.js';
import { simplify } from '../simplify.js';

export function lowerContraction(application: Application, contraction: Contraction): Work {
  const { inputs, output, partialSums = 'float64' } = application;
  const steps = pairwise(contraction, contractionPath(contraction));
  // Unless the backend sums in float32, nothing is rounded between steps: the order of a path must not decide the precision.
  const between = output.dtype === 'int32' ? 'int32' : output.dtype === 'float32' ? partialSums : 'float64';
  const temporaries = steps
    .slice(0, -1)
    .map((step) => ({ shape: step.contraction.output.map((label) => step.contraction.sizes[label]), dtype: between }) as const);
  const typeOf = (slot: number): TensorType => {
    const made = temporaries[slot - inputs.length];
    return made === undefined ? inputs[slot] : { ...made, strides: rowMajorStrides(made.shape) };
  };
  const placeOf = (slot: number): Place =>
    slot < inputs.length ? { of: 'input', index: slot } : { of: 'temporary', index: slot - inputs.length };
  const calls: readonly KernelCall[] = steps.map((step, at) => ({
    ir: lowerStep(step.contraction, step.inputs.map(typeOf), at === steps.length - 1 ? output.dtype : between),
    inputs: step.inputs.map(placeOf),
    output: at === steps.length - 1 ? { of: 'output' } : { of: 'temporary', index: at },
  }));
  return { kind: 'kernels', calls, temporaries };
}

/** A sum of products: written labels outside, summed ones inside. */
export function lowerStep(contraction: Contraction, inputs: readonly TensorType[], dtype: NestIR['output']['dtype']): NestIR {
  const { sizes, operands, output } = contraction;
  const written = new Set(output);
  // A label of this step alone: sizes may list labels of other steps.
  const summed = [...new Set(operands.flat())].filter((label) => !written.has(label)).sort((a, b) => a - b);
  const labels = [...output, ...summed];
  const outer = rowMajorStrides(output.map((label) => sizes[label]));
  const stridesOf = (input: TensorType, axes: readonly number[]): readonly number[] =>
    labels.map((label) =>
      axes.reduce(
        (sum, own, axis) => (own === label && (input.shape[axis] !== 1 || sizes[label] === 1) ? sum + input.strides[axis] : sum),
        0,
      ),
    );
  const product = operands
    .map((_, index) => s.operand(index))
    .reduce<Scalar | undefined>((left, right) => (left === undefined ? right : s.mul(left, right)), undefined);
  const value = product ?? s.constant(1);
  return simplify({
    kind: 'nest',
    extents: labels.map((label) => sizes[label]),
    outer: output.length,
    inputs: inputs.map((input, k) => ({ dtype: input.dtype, strides: stridesOf(input, operands[k]), offset: 0 })),
    folds: summed.length === 0 ? [] : [{ monoid: 'sum', value }],
    result: summed.length === 0 ? value : s.fold(0),
    emits: 'group',
    output: { dtype, strides: [...outer, ...summed.map(() => 0)], offset: 0 },
  });
}
