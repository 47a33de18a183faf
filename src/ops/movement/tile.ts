/**
 * @file Elements said again: whole tensors one after another, or each element in place.
 *
 * Both are a view with strides of 0 on axes of their own, which is then packed; nothing but the result is allocated.
 */
import { fault } from '../../errors/index.js';
import { normalizeAxis } from '../../tensor/axis.js';
import type { Layout } from '../../tensor/layout.js';
import type { Dim, Dims } from '../dims.js';
import { defineOp, type Place } from '../op.js';
import { axes, integer, type ParamRule } from '../params.js';
import { highest } from '../rules.js';
import { bounded } from './within.js';
import { dimsOf } from '../dimsOf.js';
import type { Operand } from '../interpreter.js';
import { formatShape } from '../../tensor/shape.js';
import type { GradientOps } from '../vjp.js';
import { reshapeAs } from '../as-shape.js';

/** How often along each axis; counts align at the right, one number is for the last axis. */
export interface TileParams {
  readonly reps: number | readonly number[];
}

/** How often each element stands, along which axis. */
export interface RepeatParams {
  /** How often each element stands. */
  readonly repeats: number;
  readonly axis: number;
}

const counts: ParamRule<readonly number[]> = (value, refuse) =>
  axes(null)(value, refuse) ?? refuse('a count, or a list of counts');

/**
 * The tensor again and again: `reps` says how often along each axis, aligned at the right; a longer list adds axes in front.
 *
 * ```ts
 * tile(tensor([1, 2]), { reps: 2 }).toArray() // => [1, 2, 1, 2]
 * tile(tensor([1, 2]), { reps: [2, 1] }).toArray() // => [[1, 2], [1, 2]]
 * ```
 *
 * @throws EinstreamError E_SHAPE for a negative count, E_LIMIT when the result would be too large
 */
export const tile = defineOp<1, TileParams>({
  name: 'tile',
  doc: 'The tensor again and again along each axis.',
  arity: 1,
  params: { reps: counts },
  dtype: highest,
  shape: ([dims], { reps }, place) => tiledDims(dims, listed(reps), place),
  view: (input, { reps }) => tiledLayout(input, listed(reps)),
  tolerance: { relative: 0, absolute: 0 },
  vjp: (dy, [x], _y, g, { reps }) => [foldedBack(dy, x, listed(reps), g)],
  examples: [
    {
      inputs: [
        [
          [1, 2],
          [3, 4],
        ],
      ],
      params: { reps: [1, 2] },
      output: [
        [1, 2, 1, 2],
        [3, 4, 3, 4],
      ],
    },
  ],
});

/**
 * Each element `repeats` times, one after another along `axis`.
 *
 * ```ts
 * repeat(tensor([1, 2]), { repeats: 2, axis: 0 }).toArray() // => [1, 1, 2, 2]
 * ```
 *
 * @throws EinstreamError E_SHAPE for a negative count, E_LIMIT when the result would be too large
 */
export const repeat = defineOp<1, RepeatParams>({
  name: 'repeat',
  doc: 'Each element several times, one after another along an axis.',
  aliases: ['repeat_interleave'],
  arity: 1,
  params: { repeats: integer(), axis: integer() },
  dtype: highest,
  shape: ([dims], { repeats, axis }, place) => {
    checkCounts([repeats], place);
    if (dims === undefined) return undefined;
    const at = normalizeAxis(axis, dims.length, place);
    return bounded(
      dims.map((dim, k) => (k === at ? times(dim, repeats) : dim)),
      place,
    );
  },
  view: (input, { repeats, axis }) => {
    const at = normalizeAxis(axis, input.shape.length, 'repeat');
    const spread = (values: readonly number[], fresh: number) => [...values.slice(0, at + 1), fresh, ...values.slice(at + 1)];
    return { shape: spread(input.shape, repeats), strides: spread(input.strides, 0), offset: input.offset };
  },
  tolerance: { relative: 0, absolute: 0 },
  vjp: (dy, [x], _y, g, { repeats, axis }) => {
    const dims = knownDims(x, 'repeat');
    const at = normalizeAxis(axis, dims.length, 'repeat');
    const shape = [...dims.slice(0, at + 1), repeats, ...dims.slice(at + 1)].map(sizeOf);
    return [g.sum(g.reshape(dy, { shape }), { axis: at + 1 })];
  },
  examples: [
    {
      inputs: [
        [
          [1, 2],
          [3, 4],
        ],
      ],
      params: { repeats: 2, axis: 1 },
      output: [
        [1, 1, 2, 2],
        [3, 3, 4, 4],
      ],
    },
  ],
});

const listed = (reps: number | readonly number[]): readonly number[] => (typeof reps === 'number' ? [reps] : reps);

const times = (dim: Dim, count: number): Dim =>
  typeof dim === 'number' ? dim * count : count === 1 ? dim : count === 0 ? 0 : null;

function checkCounts(reps: readonly number[], place: Place): void {
  if (reps.some((count) => count < 0)) {
    throw fault('E_SHAPE', { ...place, rule: 'counts of repetition must be at least 0', actual: `[${reps.join(', ')}]` });
  }
}

function tiledDims(dims: Dims | undefined, reps: readonly number[], place: Place): Dims | undefined {
  checkCounts(reps, place);
  if (dims === undefined) return undefined;
  const rank = Math.max(dims.length, reps.length);
  const [size, count] = [aligned(dims, rank), aligned(reps, rank)];
  return bounded(
    size.map((dim, axis) => times(dim, count[axis])),
    place,
  );
}

const aligned = <T>(values: readonly T[], rank: number): readonly (T | 1)[] => [
  ...new Array<1>(rank - values.length).fill(1),
  ...values,
];

/** Two axes for each: the count with stride 0, then the elements. */
function tiledLayout({ shape, strides, offset }: Layout, reps: readonly number[]): Layout {
  const rank = Math.max(shape.length, reps.length);
  const [sizes, steps, count] = [aligned(shape, rank), aligned(strides, rank), aligned(reps, rank)];
  return {
    shape: sizes.flatMap((size, axis) => [count[axis], size]),
    strides: steps.flatMap((step) => [0, step]),
    offset,
  };
}

/** Each element's copies, added. */
function foldedBack(dy: Operand, x: Operand, reps: readonly number[], g: GradientOps): Operand {
  const dims = knownDims(x, 'tile');
  const rank = Math.max(dims.length, reps.length);
  const [sizes, count] = [aligned(dims, rank), aligned(reps, rank)];
  const apart = g.reshape(dy, { shape: sizes.flatMap((size, axis) => [count[axis], sizeOf(size)]) });
  return reshapeAs(g.sum(apart, { axis: sizes.map((_, axis) => 2 * axis) }), x, g);
}

/** For reshape, which finds one unknown size. */
const sizeOf = (dim: Dim): number | null => (typeof dim === 'number' ? dim : null);

function knownDims(x: Operand, op: string): Dims {
  const dims = dimsOf(x);
  if (dims !== undefined && dims.filter((dim) => typeof dim !== 'number').length <= 1) return dims;
  throw fault('E_GRADIENT', {
    op,
    rule: `the gradient of ${op} needs all sizes but one`,
    actual: dims === undefined ? 'an operand of unknown rank' : `shape ${formatShape(dims)}`,
    hint: 'declare the dims of the inputs',
  });
}
