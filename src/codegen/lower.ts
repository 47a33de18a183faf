/**
 * @file From an op applied to tensors of known layout to kernels: the only place that knows every kind of op.
 */
import { fault } from '../errors/index.js';
import { rowMajorStrides, sameShape, type Shape } from '../tensor/shape.js';
import type { ComputedDType } from '../tensor/dtype.js';
import { isRowMajor, rowMajorLayout, type Layout } from '../tensor/layout.js';
import type { AnyOp, Params } from '../ops/op.js';
import { s } from '../ops/scalar.js';
import type { KernelIR, TensorType } from './ir.js';
import { lowerElementwise } from './lower/elementwise.js';
import { lowerFold } from './lower/fold.js';
import { lowerGather } from './lower/gather.js';
import { lowerContraction } from './lower/contraction.js';
import { lowerSteps } from './lower/steps.js';

/** A value that a kernel reads or writes: an input of the op, a temporary, or the op's result. */
export type Place =
  | { readonly of: 'input'; readonly index: number }
  | { readonly of: 'temporary'; readonly index: number }
  | { readonly of: 'output' };

export interface KernelCall {
  readonly ir: KernelIR;
  readonly inputs: readonly Place[];
  readonly output: Place;
}

/** Kernels to run one after another, and what they need beside the result. */
export interface Work {
  readonly kind: 'kernels';
  readonly calls: readonly KernelCall[];
  readonly temporaries: readonly { readonly shape: Shape; readonly dtype: ComputedDType }[];
}

/** Nothing to run: the result is the input, seen through this layout. */
export interface Seen {
  readonly kind: 'view';
  readonly layout: Layout;
}

export interface Application {
  readonly op: AnyOp;
  readonly params: Params;
  readonly inputs: readonly TensorType[];
  readonly output: { readonly shape: Shape; readonly dtype: ComputedDType };
  /** What holds sums between the steps of a contraction whose result is float32; float64 by default. */
  readonly partialSums?: 'float32' | 'float64';
}

export function lower(application: Application): Work | Seen {
  const { op, params, inputs } = application;
  const shapes = inputs.map((input) => input.shape);
  const dtypes = inputs.map((input) => input.dtype);
  if (op.exprFor !== undefined) return single(lowerElementwise(application, op.exprFor(params, dtypes)), inputs.length);
  if (op.expr !== undefined) return single(lowerElementwise(application, op.expr), inputs.length);
  const folding = op.fold?.(params, shapes, dtypes);
  if (folding !== undefined) return single(lowerFold(application, folding), inputs.length);
  if (op.steps !== undefined) return lowerSteps(application, op.steps(params), lower);
  if (op.gather !== undefined) return single(lowerGather(application, op.gather(params, shapes)), 2);
  if (op.contract !== undefined) return lowerContraction(application, op.contract(params, shapes), op.epilogue?.(params, dtypes));
  if (op.view !== undefined) return lowerView(application, op.view);
  if (op.pieces !== undefined) return lowerPieces(application, op.pieces(params, shapes));
  throw fault('E_CODEGEN', {
    op: op.name,
    rule: 'the op must say how it computes',
    hint: 'define expr, fold, view, pieces, gather or contract',
  });
}

const single = (ir: KernelIR, inputs: number): Work => ({
  kind: 'kernels',
  calls: [
    { ir, inputs: Array.from({ length: inputs }, (_, index) => ({ of: 'input' as const, index })), output: { of: 'output' } },
  ],
  temporaries: [],
});

/** A view where strides allow; otherwise the input is packed, which mostly is the result already. */
function lowerView(application: Application, view: NonNullable<AnyOp['view']>): Work | Seen {
  const [input] = application.inputs as [TensorType, ...TensorType[]];
  const { shape, dtype } = application.output;
  const shapes = application.inputs.map((each) => each.shape);
  const layout = view({ shape: input.shape, strides: input.strides, offset: 0 }, application.params, shapes);
  if (layout !== undefined) {
    // A layout over other axes than the result's stands for its elements in row-major order (tile).
    return sameShape(layout.shape, shape) ? { kind: 'view', layout } : materialize(layout, dtype);
  }
  const packed = view(rowMajorLayout(input.shape), application.params, shapes);
  if (packed === undefined)
    throw fault('E_CODEGEN', { op: application.op.name, rule: 'a view of a contiguous tensor must exist' });
  const copy = single(
    lowerElementwise({ inputs: [input], output: { shape: input.shape, dtype } }, (x) => x),
    1,
  );
  if (
    packed.offset === 0 &&
    isRowMajor(packed.shape, packed.strides, count(input.shape)) &&
    count(packed.shape) === count(input.shape)
  )
    return copy;
  const [first, second] = [copy.calls[0], materialize(packed, dtype).calls[0]];
  return {
    kind: 'kernels',
    calls: [
      { ...first, output: { of: 'temporary', index: 0 } },
      { ...second, inputs: [{ of: 'temporary', index: 0 }] },
    ],
    temporaries: [{ shape: input.shape, dtype }],
  };
}

const count = (shape: Shape): number => shape.reduce((product, size) => product * size, 1);

/** The fill first where pieces leave gaps, then each input copied to its place. */
function lowerPieces(application: Application, { fill, pieces }: ReturnType<NonNullable<AnyOp['pieces']>>): Work {
  const { output, inputs } = application;
  const strides = rowMajorStrides(output.shape);
  const covered = pieces.reduce((sum, { input }) => sum + count(inputs[input].shape), 0);
  const calls: KernelCall[] = [];
  if (covered < count(output.shape))
    calls.push({
      ir: lowerElementwise({ ...application, inputs: [] }, () => s.constant(fill)),
      inputs: [],
      output: { of: 'output' },
    });
  for (const { input, start, strides: steps = strides } of pieces) {
    const source = inputs[input];
    const part = { ...application, inputs: [source], output: { shape: source.shape, dtype: output.dtype } };
    const offset = start.reduce((sum, index, axis) => sum + index * strides[axis], 0);
    calls.push({
      ir: lowerElementwise(part, (x) => x, { strides: steps, offset }),
      inputs: [{ of: 'input', index: input }],
      output: { of: 'output' },
    });
  }
  return { kind: 'kernels', calls, temporaries: [] };
}

/** A view's elements written out in row-major order. */
export function materialize({ shape, strides, offset }: Layout, dtype: ComputedDType): Work {
  const ir = lowerElementwise({ inputs: [{ dtype, shape, strides }], output: { shape, dtype } }, (x) => x);
  return single({ ...ir, inputs: ir.inputs.map((access) => ({ ...access, offset })) }, 1);
}
