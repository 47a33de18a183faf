/**
 * @file Tensors one after another along an axis.
 */
import { fault } from '../../errors/index.js';
import { normalizeAxis } from '../../tensor/axis.js';
import { formatShape } from '../../tensor/shape.js';
import { isCompatible, type Dim, type Dims } from '../dims.js';
import { defineOp, type Place } from '../op.js';
import { integer } from '../params.js';
import { highest } from '../rules.js';
import { bounded } from './within.js';
import { range } from '../../tensor/view/specs.js';
import { dimsOf } from '../dimsOf.js';
import type { Operand } from '../interpreter.js';
import type { GradientOps } from '../vjp.js';

/** The axis that is joined. */
export interface ConcatParams {
  /** The first by default. */
  readonly axis?: number;
}

/**
 * The tensors one after another along `axis`; all their other sizes must be equal. The highest dtype wins.
 *
 * ```ts
 * concat([tensor([[1], [2]]), tensor([[3], [4]])], { axis: 1 }).toArray() // => [[1, 3], [2, 4]]
 * ```
 *
 * @throws EinstreamError E_SHAPE naming the axis and both sizes
 */
export const concat = defineOp<'any', ConcatParams>({
  name: 'concat',
  doc: 'The tensors one after another along an axis.',
  aliases: ['concatenate', 'cat'],
  arity: 'any',
  params: { axis: integer(0) },
  dtype: highest,
  shape: concatenatedDims,
  pieces: ({ axis = 0 }, inputs) => {
    const at = normalizeAxis(axis, inputs[0].length, 'concat');
    let next = 0;
    const pieces = inputs.map((shape, input) => {
      const start = shape.map((_, k) => (k === at ? next : 0));
      next += shape[at];
      return { input, start };
    });
    return { fill: 0, pieces };
  },
  tolerance: { relative: 0, absolute: 0 },
  vjp: partsOf,
  examples: [
    {
      inputs: [
        [[1], [2]],
        [[3], [4]],
      ],
      params: { axis: 1 },
      output: [
        [1, 3],
        [2, 4],
      ],
    },
  ],
});

function concatenatedDims(inputs: readonly (Dims | undefined)[], { axis = 0 }: ConcatParams, place: Place): Dims | undefined {
  const known = inputs.filter((dims) => dims !== undefined);
  if (known.length === 0) return undefined;
  const rank = known[0].length;
  const at = normalizeAxis(axis, rank, place);
  for (const dims of known) {
    const clash = known[0].findIndex((dim, k) => k !== at && !isCompatible(dim, dims[k]));
    if (dims.length !== rank || clash >= 0) {
      throw fault('E_SHAPE', {
        ...place,
        rule:
          dims.length !== rank ? 'all tensors must have one rank' : `sizes must be equal at axis ${clash}, which is not joined`,
        expected: formatShape(known[0]),
        actual: formatShape(dims),
        hint: dims.length !== rank ? 'stack makes a new axis' : `join along axis ${clash}, or slice`,
      });
    }
  }
  const isAllKnown = known.length === inputs.length;
  return bounded(
    Array.from({ length: rank }, (_, k) => (k === at ? (isAllKnown ? total(known, k) : null) : common(known, k))),
    place,
  );
}

/** A size of 0 adds nothing, so a lone symbol stays. */
function total(all: readonly Dims[], axis: number): Dim {
  const sizes = all.map((dims) => dims[axis]).filter((dim) => dim !== 0);
  if (sizes.length === 1) return sizes[0];
  return sizes.every((dim) => typeof dim === 'number') ? sizes.reduce((sum, size) => sum + size, 0) : null;
}

/** The most that is known of sizes that must be equal: a number, else a symbol. */
function common(all: readonly Dims[], axis: number): Dim {
  const sizes = all.map((dims) => dims[axis]);
  return sizes.find((dim) => typeof dim === 'number') ?? sizes.find((dim) => dim !== null) ?? null;
}

/** Each operand's part of the gradient. */
function partsOf(dy: Operand, inputs: readonly Operand[], _y: Operand, g: GradientOps, { axis = 0 }: ConcatParams): Operand[] {
  let next = 0;
  return inputs.map((input) => {
    const dims = dimsOf(input);
    const at = dims === undefined ? 0 : normalizeAxis(axis, dims.length, 'concat');
    const size = dims?.[at];
    if (typeof size !== 'number')
      throw fault('E_GRADIENT', {
        op: 'concat',
        rule: 'the gradient of concat needs the sizes along the joined axis',
        actual: size === undefined ? 'an operand of unknown rank' : `size ${size}`,
        hint: 'declare the dims of the inputs',
      });
    const part = range(next, (next += size));
    return g.slice(dy, { specs: [...new Array<null>(at).fill(null), part] });
  });
}
