/**
 * @file Which ops gpu.js cannot run on which dtypes: found by rendering the examples of their definitions.
 */
import { EinstreamError } from '../../errors/index.js';
import type { TensorType } from '../../codegen/ir.js';
import { lower, type Application } from '../../codegen/lower.js';
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

/** Ops with the dtypes of their operands for which not every example runs, and the results where it depends on them. */
export const exclusions = (): readonly Exclusion[] => (found ??= Object.freeze(allOps().flatMap(exclusionsOf)));

function exclusionsOf(op: AnyOp): readonly Exclusion[] {
  const refused: ComputedDType[] = [];
  const some: Exclusion[] = [];
  for (const dtype of COMPUTED_DTYPES) {
    const { lost, kept } = resultsOf(op, dtype);
    if (lost.size === 0) continue;
    if (kept.size === 0 || [...lost].some((result) => kept.has(result))) refused.push(dtype);
    else some.push({ op: op.name, dtypes: [dtype], results: [...lost] });
  }
  return refused.length === 0 ? some : [{ op: op.name, dtypes: refused }, ...some];
}

/** Dtypes of results by whether an example gives them that runs. Those of operands that the op does not take are in neither. */
function resultsOf(op: AnyOp, dtype: ComputedDType) {
  const [lost, kept] = [new Set<ComputedDType>(), new Set<ComputedDType>()];
  for (const { inputs, params = {} } of op.examples.flatMap(variants)) {
    const types = inputs.map((given, at): TensorType => {
      const shape = shapeOf(given);
      return { shape, strides: rowMajorStrides(shape), dtype: op.gather !== undefined && at === 1 ? 'int32' : dtype };
    });
    try {
      const output = outputOf(op, params, types);
      // Between two steps of a contraction of truths lie counts, as int32. float64 is never held.
      const isHeld = dtype !== 'float64' && !(dtype === 'bool' && op.contract !== undefined);
      (isHeld && isRendered(op, params, types, output) ? kept : lost).add(output.dtype);
    } catch (error) {
      if (!(error instanceof EinstreamError)) throw error;
    }
  }
  return { lost, kept };
}

/** An example, with each dtype in the place of one that its params name. */
function variants(given: AnyOp['examples'][number]): readonly Example[] {
  const example = (Array.isArray(given) ? { inputs: [given[0] as NestedArray], output: 0 } : given) as Example;
  const { params } = example;
  if (params === undefined || !('dtype' in params)) return [example];
  return COMPUTED_DTYPES.map((dtype) => ({ ...example, params: { ...params, dtype } }));
}

function isRendered(op: AnyOp, params: Params, inputs: readonly TensorType[], output: Application['output']): boolean {
  try {
    const work = lower({ op, params, inputs, output, partialSums: 'float32' });
    if (work.kind === 'kernels') for (const { ir } of work.calls) renderGpu(ir);
    return true;
  } catch (error) {
    if (error instanceof EinstreamError && error.code === 'E_CODEGEN') return false;
    throw error;
  }
}

function outputOf(op: AnyOp, params: Params, inputs: readonly TensorType[]): Application['output'] {
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
