/**
 * @file Ops that stand for others, where no one kernel does for all of them: a kernel a step, results in temporaries.
 */
import type { ComputedDType } from '../../tensor/dtype.js';
import { rowMajorStrides, type Shape } from '../../tensor/shape.js';
import { through, type FusedStep } from '../../ops/fusedSteps.js';
import type { TensorType } from '../ir.js';
import type { Application, KernelCall, Place, Seen, Work } from '../lower.js';

interface Held {
  readonly type: TensorType;
  readonly place: Place;
}

/** `lower` gives the kernels of one step: elementwise steps and folds have one each. */
export function lowerSteps(
  application: Application,
  steps: readonly FusedStep[],
  lower: (application: Application) => Work | Seen,
): Work {
  const calls: KernelCall[] = [];
  const temporaries: { readonly shape: Shape; readonly dtype: ComputedDType }[] = [];
  const held = application.inputs.map((type, index): Held => ({ type, place: { of: 'input', index } }));
  through(steps, held, (op, args, step): Held => {
    const inputs = args.map(({ type }) => type);
    const isLast = step === steps.at(-1);
    const shape = op.shape(inputs.map((each) => each.shape), step.params, { op: step.op }) as Shape; // prettier-ignore
    const dtype = op.dtype(inputs.map((each) => each.dtype), step.params); // prettier-ignore
    const place: Place = isLast ? { of: 'output' } : { of: 'temporary', index: temporaries.length };
    if (!isLast) temporaries.push({ shape, dtype });
    const work = lower({ ...application, op, params: step.params, inputs, output: { shape, dtype } }) as Work;
    for (const { ir, inputs: places } of work.calls)
      calls.push({ ir, inputs: places.map((each) => (each.of === 'input' ? args[each.index].place : each)), output: place });
    return { type: { shape, dtype, strides: rowMajorStrides(shape) }, place };
  });
  return { kind: 'kernels', calls, temporaries };
}
