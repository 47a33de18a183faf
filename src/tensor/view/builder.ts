/**
 * @file A view spelled out dimension by dimension.
 */
import { describeValue, fault } from '../../errors/index.js';
import { normalizeAxis } from '../axis.js';
import { extent, type Layout } from '../layout.js';
import { formatShape, readIntegers } from '../shape.js';
import type { Tensor } from '../tensor.js';
import { sliceLayout } from './slice.js';
import { at, range, reversed, type SliceSpec } from './specs.js';
import { viewOf } from './views.js';

/** Every call gives a new builder; the dimensions not set stay whole. Dimensions count as the tensor's, before any is dropped. */
export interface ViewBuilder {
  /** Elements `start` up to but without `stop`, every `step`-th; ends clamp. */
  rangeDim(dim: number, start: number | null, stop: number | null, step?: number): ViewBuilder;
  /** One element; the dimension is dropped. */
  indexDim(dim: number, index: number): ViewBuilder;
  reverseDim(dim: number): ViewBuilder;
  /** Moves the view by so many elements of the buffer, from where the dimensions put it. */
  withOffset(elements: number): ViewBuilder;
  /** Takes these steps in the buffer, in elements, one a dimension, instead of the tensor's own. */
  withStrides(strides: readonly number[]): ViewBuilder;
  /** @throws EinstreamError E_SHAPE when an element of the view would lie outside the buffer, or an index outside its dimension */
  build(): Tensor;
}

interface Plan {
  readonly specs: ReadonlyMap<number, SliceSpec>;
  readonly offset: number;
  readonly strides?: readonly number[];
}

/**
 * Starts a view of `tensor`. Nothing is copied.
 *
 * ```ts
 * const rows = arange(60);
 * viewBuilder(reshapeView(rows, [6, 10])).rangeDim(0, 1, 5, 2).indexDim(1, 5).build().toArray() // => [15, 35]
 * viewBuilder(rows).rangeDim(0, 10, 13).withOffset(40).build().toArray() // => [50, 51, 52]
 * ```
 *
 * @throws EinstreamError (each method, at its call) E_SHAPE for a dimension that does not exist, E_ARGUMENT for one
 *   set twice, or an offset that is no integer
 */
export const viewBuilder = (tensor: Tensor): ViewBuilder => builderOf(tensor, { specs: new Map(), offset: 0 });

function builderOf(tensor: Tensor, plan: Plan): ViewBuilder {
  const set = (dim: number, spec: SliceSpec): ViewBuilder => {
    const axis = normalizeAxis(dim, tensor.rank, 'viewBuilder');
    if (plan.specs.has(axis))
      throw fault('E_ARGUMENT', {
        place: 'viewBuilder',
        rule: `dimension ${axis} may be set once`,
        hint: 'build, and take a view of the view',
      });
    return builderOf(tensor, { ...plan, specs: new Map(plan.specs).set(axis, spec) });
  };
  return {
    rangeDim: (dim, start, stop, step) => set(dim, range(start, stop, step)),
    indexDim: (dim, index) => set(dim, at(index)),
    reverseDim: (dim) => set(dim, reversed),
    withOffset(elements) {
      if (!Number.isSafeInteger(elements))
        throw fault('E_ARGUMENT', {
          place: 'viewBuilder',
          rule: 'the offset must be an integer',
          actual: describeValue(elements),
        });
      return builderOf(tensor, { ...plan, offset: elements });
    },
    withStrides(strides) {
      const copy = readIntegers(strides, 'viewBuilder strides');
      if (copy.length !== tensor.rank) {
        throw fault('E_SHAPE', {
          place: 'viewBuilder strides',
          rule: 'there must be one stride a dimension',
          expected: `${tensor.rank} for shape ${formatShape(tensor.shape)}`,
          actual: String(copy.length),
        });
      }
      return builderOf(tensor, { ...plan, strides: copy });
    },
    build: () => viewOf(tensor, inside(layoutOf(tensor, plan), tensor.buffer.array.length)),
  };
}

function layoutOf(tensor: Tensor, { specs, offset, strides = tensor.strides }: Plan): Layout {
  const base = { shape: tensor.shape, strides, offset: tensor.offset };
  const view = sliceLayout(
    base,
    tensor.shape.map((_, axis) => specs.get(axis) ?? null),
  );
  return { ...view, offset: view.offset + offset };
}

function inside(layout: Layout, length: number): Layout {
  const { from, to } = extent(layout);
  if (from >= 0 && to <= length) return layout;
  throw fault('E_SHAPE', {
    place: 'viewBuilder',
    rule: 'the view must stay inside the buffer',
    expected: `addresses 0 to ${length - 1}`,
    actual: `${from} to ${to - 1} (offset ${layout.offset}, shape ${formatShape(layout.shape)}, strides [${layout.strides.join(', ')}])`,
  });
}
