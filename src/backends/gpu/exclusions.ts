/**
 * @file Which ops gpu.js cannot run on which dtypes: found by rendering the examples of their definitions.
 */
import { EinstreamError } from '../../errors/index.js';
import { lower } from '../../codegen/lower.js';
import { renderGpu } from '../../codegen/render/gpu.js';
import { isStatic } from '../../ops/dims.js';
import type { AnyOp, Example, Params } from '../../ops/op.js';
import { allOps } from '../../ops/registry.js';
import { tensor } from '../../tensor/create.js';
import { COMPUTED_DTYPES, type ComputedDType } from '../../tensor/dtype.js';
import type { NestedArray } from '../../tensor/nested.js';
import { rowMajorStrides, type Shape } from '../../tensor/shape.js';
import { Tensor } from '../../tensor/tensor.js';
import type { Exclusion } from '../backend.js';

let found: readonly Exclusion[] | undefined;

/** Ops with the dtypes of their operands for which not every example runs. float64 is never held. */
export const exclusions = (): readonly Exclusion[] =>
  (found ??= Object.freeze(
    allOps().map((op) =>
      Object.freeze({ op: op.name, dtypes: Object.freeze(COMPUTED_DTYPES.filter((dtype) => !runs(op, dtype))) }),
    ),
  ));

/** Ops that take no operands of a dtype run on all that they take. */
function runs(op: AnyOp, dtype: ComputedDType): boolean {
  if (dtype === 'float64') return false;
  // Between two steps of a contraction lie counts, as int32.
  if (dtype === 'bool' && op.contract !== undefined) return false;
  const examples = op.examples.map((example): Example =>
    Array.isArray(example) ? { inputs: [example[0] as NestedArray], output: 0 } : (example as Example),
  );
  return examples.every((example) => isRendered(op, dtype, example));
}

function isRendered(op: AnyOp, dtype: ComputedDType, { inputs, params = {} }: Example): boolean {
  const types = inputs.map((given, at) => {
    const shape = shapeOf(given);
    return { shape, strides: rowMajorStrides(shape), dtype: op.gather !== undefined && at === 1 ? ('int32' as const) : dtype };
  });
  try {
    const work = lower({ op, params, inputs: types, output: outputOf(op, params, types), partialSums: 'float32' });
    if (work.kind === 'kernels') for (const { ir } of work.calls) renderGpu(ir);
    return true;
  } catch (error) {
    if (!(error instanceof EinstreamError)) throw error;
    // What the op itself does not take is not the backend's to refuse.
    return error.code !== 'E_CODEGEN';
  }
}

function outputOf(
  op: AnyOp,
  params: Params,
  inputs: readonly { readonly shape: Shape; readonly dtype: ComputedDType }[],
): { readonly shape: Shape; readonly dtype: ComputedDType } {
  const dtype = op.dtype(
    inputs.map((each) => each.dtype),
    params,
  );
  const dims = op.shape(
    inputs.map(({ shape }) => shape),
    params,
    { op: op.name },
  );
  return { dtype, shape: dims !== undefined && isStatic(dims) ? dims : [] };
}

const shapeOf = (given: unknown): Shape => {
  if (given instanceof Tensor) return given.shape;
  const nested = typeof given === 'object' && given !== null && 'data' in given ? given.data : given;
  return tensor(nested as NestedArray, { dtype: 'float64' }).shape;
};
