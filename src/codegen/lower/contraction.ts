/**
 * @file Contractions: one nest for each pairwise step of the contraction path, results of earlier steps in temporaries.
 *
 * An epilogue becomes the result of the last step's nest, over its sum and over further operands.
 */
import type { ComputedDType } from '../../tensor/dtype.js';
import { rowMajorStrides, sameShape } from '../../tensor/shape.js';
import type { Epilogue } from '../../ops/op.js';
import { s, type Scalar } from '../../ops/scalar.js';
import type { Contraction } from '../../ops/einsum/resolve.js';
import { contractionPath, pairwise } from '../../plan/path/index.js';
import type { NestIR, TensorType } from '../ir.js';
import type { Application, KernelCall, Place, Work } from '../lower.js';
import { simplify } from '../simplify.js';
import { broadcastStrides, lowerElementwise } from './elementwise.js';

interface Held {
  readonly type: TensorType;
  readonly place: Place;
}

/** What is written for a sum. */
interface Finish {
  readonly value: Epilogue['value'];
  readonly further: readonly Held[];
}

const PLAIN: Finish = { value: (sum) => sum, further: [] };

export function lowerContraction(application: Application, contraction: Contraction, epilogue: Epilogue | undefined): Work {
  const { output, partialSums = 'float64' } = application;
  const held = application.inputs.map((type, index): Held => ({ type, place: { of: 'input', index } }));
  if (epilogue === undefined)
    return lowerPath(contraction, held, { sums: output.dtype, written: output.dtype, partialSums }, PLAIN);
  const { contracted, dtype, isJoint, value } = epilogue;
  const operands = contracted.map((position) => held[position]);
  const further = epilogue.further.map((position) => held[position]);
  const shape = contraction.output.map((label) => contraction.sizes[label]);
  if (isJoint && sameShape(shape, output.shape))
    return lowerPath(contraction, operands, { sums: dtype, written: output.dtype, partialSums }, { value, further });
  // Where sums are repeated, or would be taken in another dtype, all of them are made first.
  const first = lowerPath(contraction, operands, { sums: dtype, written: dtype, partialSums }, PLAIN);
  const sums: Place = { of: 'temporary', index: first.temporaries.length };
  const second: KernelCall = {
    ir: lowerElementwise(
      { inputs: [{ shape, dtype, strides: rowMajorStrides(shape) }, ...typesOf(further)], output },
      (sum, ...terms) => value(sum, terms),
    ),
    inputs: [sums, ...further.map(({ place }) => place)],
    output: { of: 'output' },
  };
  return {
    kind: 'kernels',
    calls: [...first.calls.slice(0, -1), { ...first.calls.at(-1)!, output: sums }, second],
    temporaries: [...first.temporaries, { shape, dtype }],
  };
}

interface Precision {
  readonly sums: ComputedDType;
  readonly written: ComputedDType;
  readonly partialSums: 'float32' | 'float64';
}

function lowerPath(
  contraction: Contraction,
  operands: readonly Held[],
  { sums, written, partialSums }: Precision,
  finish: Finish,
): Work {
  const steps = pairwise(contraction, contractionPath(contraction));
  // Unless the backend sums in float32, nothing is rounded between steps: the order of a path must not decide the precision.
  const between = sums === 'int32' ? 'int32' : sums === 'float32' ? partialSums : 'float64';
  const temporaries = steps.slice(0, -1).map(({ shape }) => ({ shape, dtype: between }) as const);
  const held = [
    ...operands,
    ...temporaries.map(({ shape, dtype }, index): Held => ({
      type: { dtype, shape, strides: rowMajorStrides(shape) },
      place: { of: 'temporary', index },
    })),
  ];
  const calls = steps.map((step, at): KernelCall => {
    const isLast = at === steps.length - 1;
    const { value, further } = isLast ? finish : PLAIN;
    const read = step.inputs.map((slot) => held[slot]);
    return {
      ir: lowerStep(step.contraction, typesOf(read), isLast ? written : between, { value, further: typesOf(further) }),
      inputs: [...read, ...further].map(({ place }) => place),
      output: isLast ? { of: 'output' } : { of: 'temporary', index: at },
    };
  });
  return { kind: 'kernels', calls, temporaries };
}

const typesOf = (held: readonly Held[]): readonly TensorType[] => held.map(({ type }) => type);

const PLAIN_STEP = { value: PLAIN.value, further: [] };

/** A sum of products: written labels outside, summed ones inside; `further` operands broadcast against what is written. */
export function lowerStep(
  contraction: Contraction,
  inputs: readonly TensorType[],
  dtype: ComputedDType,
  { value: finished, further }: { readonly value: Finish['value']; readonly further: readonly TensorType[] } = PLAIN_STEP,
): NestIR {
  const { sizes, operands, output } = contraction;
  const written = new Set(output);
  // A label of this step alone: sizes may list labels of other steps.
  const summed = [...new Set(operands.flat())].filter((label) => !written.has(label)).sort((a, b) => a - b);
  const labels = [...output, ...summed];
  const shape = output.map((label) => sizes[label]);
  const none = summed.map(() => 0);
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
  const terms = further.map((_, index) => s.operand(inputs.length + index));
  return simplify({
    kind: 'nest',
    extents: labels.map((label) => sizes[label]),
    outer: output.length,
    inputs: [
      ...inputs.map((input, k) => ({ dtype: input.dtype, strides: stridesOf(input, operands[k]), offset: 0 })),
      ...further.map((input) => ({ dtype: input.dtype, strides: [...broadcastStrides(input, shape), ...none], offset: 0 })),
    ],
    folds: summed.length === 0 ? [] : [{ monoid: 'sum', value }],
    result: finished(summed.length === 0 ? value : s.fold(0), terms),
    emits: 'group',
    output: { dtype, strides: [...rowMajorStrides(shape), ...none], offset: 0 },
  });
}
