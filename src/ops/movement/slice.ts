/**
 * @file Basic indexing as an op: its parameters are the specs, plain records that graphs can save.
 */
import { sliceLayout } from '../../tensor/view/slice.js';
import { MAX_ELEMENTS } from '../../tensor/shape.js';
import type { SliceSpec } from '../../tensor/view/specs.js';
import type { Dim, Dims } from '../dims.js';
import type { Operand, ResultOf } from '../interpreter.js';
import { defineOp, type AnyOp, type Place } from '../op.js';
import { highest } from '../rules.js';
import { sliceSpecs } from './sliceSpecs.js';
import { bounded, within } from './within.js';

/** One spec for each axis, as a graph stores them. */
export interface SliceParams {
  readonly specs: readonly SliceSpec[];
}

const sliceOp = defineOp<1, SliceParams>({
  name: 'slice',
  doc: 'The part of a tensor that the specs choose, one for each axis, as NumPy’s basic indexing.',
  arity: 1,
  params: { specs: sliceSpecs },
  dtype: highest,
  shape: slicedDims,
  view: (input, { specs }) => sliceLayout(input, specs),
  vjp: (dy, [x], _y, g, params) => [g.sliceScatter(dy, x, params)],
  examples: [
    {
      inputs: [
        [
          [1, 2],
          [3, 4],
        ],
      ],
      params: { specs: [{ kind: 'at', index: -1 }] },
      output: [3, 4],
    },
    { inputs: [[1, 2, 3, 4, 5]], params: { specs: [{ kind: 'range', start: null, stop: null, step: -2 }] }, output: [5, 3, 1] },
  ],
});

/** Takes its specs one by one, or as `{ specs }`. */
export interface Slice {
  <A extends Operand>(x: A, ...specs: readonly SliceSpec[]): ResultOf<A>;
  <A extends Operand>(x: A, params: SliceParams): ResultOf<A>;
  readonly definition: AnyOp;
}

/**
 * The part that the specs choose, one for each axis; the axes left out stay whole. `null` is a whole axis, `at(i)` one
 * element (the axis goes), `range(start, stop, step)` a part, `reversed` the axis backwards, `newaxis` a new axis of
 * size 1, `ellipsis` the axes left over. Negative indices count from the end; range ends clamp. A view: nothing is copied.
 *
 * ```ts
 * const x = tensor([[1, 2, 3], [4, 5, 6]]);
 * slice(x, at(1)).toArray() // => [4, 5, 6]
 * slice(x, null, range(1, null)).toArray() // => [[2, 3], [5, 6]]
 * slice(x, ellipsis, reversed).toArray() // => [[3, 2, 1], [6, 5, 4]]
 * ```
 *
 * @throws EinstreamError E_SHAPE for an index out of range or a step of 0, E_ARGUMENT for what is no spec
 */
export const slice: Slice = Object.assign(
  (x: Operand, ...specs: readonly unknown[]): unknown => {
    const call = sliceOp as (...args: readonly unknown[]) => unknown;
    const [only] = specs;
    const given = specs.length === 1 && typeof only === 'object' && only !== null && 'specs' in only;
    return call(x, given ? only : { specs });
  },
  { definition: sliceOp.definition },
);

function slicedDims([dims]: readonly (Dims | undefined)[], { specs }: SliceParams, place: Place): Dims | undefined {
  if (dims === undefined) return undefined;
  // An unknown size counts as the largest there is, so that only what is surely wrong is refused.
  const shape = dims.map((dim) => (typeof dim === 'number' ? dim : MAX_ELEMENTS));
  const sizes = within(place, () => sliceLayout({ shape, strides: dims.map(() => 0), offset: 0 }, specs)).shape.values();
  const result = aligned(specs, dims.length).flatMap(({ spec, axis }): readonly Dim[] => {
    if (spec?.kind === 'at') return [];
    const size = sizes.next().value as number;
    return [spec?.kind === 'newaxis' || typeof dims[axis] === 'number' ? size : isWhole(spec) ? dims[axis] : null];
  });
  return bounded(result, place);
}

const isWhole = (spec: SliceSpec): boolean =>
  spec === null ||
  (spec.kind === 'range' &&
    Math.abs(spec.step) === 1 &&
    spec.stop === null &&
    (spec.start === null || (spec.start === 0 && spec.step === 1)));

/** Each spec with the axis that it speaks of; the ellipsis, or the end, takes the axes left over. */
function aligned(specs: readonly SliceSpec[], rank: number): readonly { readonly spec: SliceSpec; readonly axis: number }[] {
  const taken = specs.filter((spec) => spec?.kind !== 'newaxis' && spec?.kind !== 'ellipsis').length;
  const rest = new Array<null>(rank - taken).fill(null);
  const hasEllipsis = specs.some((spec) => spec?.kind === 'ellipsis');
  const all = hasEllipsis ? specs.flatMap((spec) => (spec?.kind === 'ellipsis' ? rest : [spec])) : [...specs, ...rest];
  let next = 0;
  return all.map((spec) => ({ spec, axis: spec?.kind === 'newaxis' ? next : next++ }));
}
