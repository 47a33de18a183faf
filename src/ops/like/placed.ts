/**
 * @file Elements put at places of a larger tensor of zeros: what slicing and diagonals do, backwards.
 */
import { fault } from '../../errors/index.js';
import { formatShape, rowMajorStrides, type Shape } from '../../tensor/shape.js';
import { sliceLayout } from '../../tensor/view/slice.js';
import type { Dims } from '../dims.js';
import { defineOp, type Place } from '../op.js';
import { integers } from '../params.js';
import { sliceSpecs } from '../movement/sliceSpecs.js';
import type { SliceParams } from '../movement/slice.js';
import { bounded } from '../movement/within.js';

/**
 * Zeros of the shape of `like`, with the elements of x where `slice(like, …specs)` would read.
 *
 * ```ts
 * sliceScatter(tensor([7, 8]), zeros([5]), { specs: [range(0, null, 3)] }).toArray() // => [7, 0, 0, 8, 0]
 * ```
 *
 * @throws EinstreamError E_SHAPE when x is not of the slice's shape, or an index is out of range
 */
export const sliceScatter = defineOp<2, SliceParams>({
  name: 'sliceScatter',
  aliases: ['slice_scatter'],
  doc: 'Zeros of the other operand’s shape, with x where a slice of it would read.',
  arity: 2,
  params: { specs: sliceSpecs },
  dtype: ([x]) => x,
  shape: ([, like]) => like,
  pieces: ({ specs }, [x, like]) => {
    const { shape, strides, offset } = sliceLayout({ shape: like, strides: rowMajorStrides(like), offset: 0 }, specs);
    requireSame(x, shape);
    return { fill: 0, pieces: [{ input: 0, start: startAt(offset, like), strides }] };
  },
  vjp: (dy, _inputs, _y, g, { specs }) => [g.slice(dy, { specs })],
  tolerance: { relative: 0, absolute: 0 },
  examples: [
    {
      inputs: [
        [7, 8],
        [1, 1, 1, 1],
      ],
      params: { specs: [{ kind: 'range', start: null, stop: null, step: -2 }] },
      output: [0, 8, 0, 7],
    },
  ],
});

/** The axis of x that each axis of the result runs along. */
export interface DiagEmbedParams {
  readonly axes: readonly number[];
}

/**
 * Zeros but for diagonals that hold x: axis k of the result runs along axis `axes[k]` of x, and where several run along
 * one, only equal indices hold anything.
 *
 * ```ts
 * diagEmbed(tensor([1, 2]), { axes: [0, 0] }).toArray() // => [[1, 0], [0, 2]]
 * ```
 *
 * @throws EinstreamError E_SHAPE for an axis that x does not have, or that no axis runs along
 */
export const diagEmbed = defineOp<1, DiagEmbedParams>({
  name: 'diagEmbed',
  aliases: ['diag_embed'],
  doc: 'Zeros but for diagonals that hold x: axis k of the result runs along axis axes[k] of x.',
  arity: 1,
  params: { axes: integers },
  dtype: ([x]) => x,
  shape: ([dims], { axes }, place) => embeddedDims(dims, axes, place),
  pieces: ({ axes }, [shape]) => {
    const own = rowMajorStrides(axes.map((axis) => shape[axis]));
    const strides = shape.map((_, axis) => axes.reduce((sum, along, at) => (along === axis ? sum + own[at] : sum), 0));
    return { fill: 0, pieces: [{ input: 0, start: axes.map(() => 0), strides }] };
  },
  vjp: (dy, _inputs, _y, g, { axes }) => [g.einsum(dy, { spec: diagonalSpec(axes) })],
  tolerance: { relative: 0, absolute: 0 },
  examples: [{ inputs: [[1, 2]], params: { axes: [0, 0] }, output: [[1, 0], [0, 2]] }], // prettier-ignore
});

const letter = (axis: number): string => String.fromCharCode(97 + axis);
const diagonalSpec = (axes: readonly number[]): string =>
  `${axes.map(letter).join('')}->${[...new Set(axes)].sort((a, b) => a - b).map(letter).join('')}`; // prettier-ignore

/** The offset as one index an axis. */
function startAt(offset: number, shape: Shape): readonly number[] {
  let rest = offset;
  return rowMajorStrides(shape).map((stride) => {
    const index = stride === 0 ? 0 : Math.floor(rest / stride);
    rest -= index * stride;
    return index;
  });
}

function embeddedDims(dims: Dims | undefined, axes: readonly number[], place: Place): Dims | undefined {
  if (dims === undefined) return undefined;
  const fits = axes.every((axis) => axis >= 0 && axis < dims.length) && dims.every((_, axis) => axes.includes(axis));
  if (!fits)
    throw fault('E_SHAPE', {
      ...place,
      rule: 'every axis of the operand must be run along, and no other',
      expected: `axes 0 to ${dims.length - 1}`,
      actual: `[${axes.join(', ')}]`,
    });
  return bounded(axes.map((axis) => dims[axis]), place); // prettier-ignore
}

function requireSame(x: Shape, slice: Shape): void {
  if (x.length === slice.length && x.every((size, axis) => size === slice[axis])) return;
  throw fault('E_SHAPE', {
    op: 'sliceScatter',
    rule: 'the operand must have the shape of the slice',
    expected: formatShape(slice),
    actual: formatShape(x),
  });
}
