/**
 * @file A frame of one value around a tensor.
 */
import { fault } from '../../errors/index.js';
import { formatShape, MAX_RANK } from '../../tensor/shape.js';
import type { ComputedDType } from '../../tensor/dtype.js';
import type { Dims } from '../dims.js';
import { defineOp, type Place } from '../op.js';
import { integers, real, type ParamRule } from '../params.js';
import { bounded } from './within.js';
import { range } from '../../tensor/view/specs.js';

/** How many elements come before and after, one pair for each axis. */
export interface PadParams {
  readonly pads: readonly (readonly number[])[];
  /** 0 by default. */
  readonly value?: number;
}

const pairs: ParamRule<readonly (readonly number[])[]> = (value, refuse) =>
  Array.isArray(value) && value.length <= MAX_RANK
    ? Array.from(value as readonly unknown[], (item) => {
        const pair = integers(item, refuse);
        return pair.length === 2 ? pair : refuse('pairs [before, after], one for each axis');
      })
    : refuse('pairs [before, after], one for each axis');

/**
 * The tensor with `value` around it: `pads` holds how many before and after, one pair for each axis.
 *
 * ```ts
 * pad(tensor([[1, 2]]), { pads: [[0, 1], [1, 0]], value: 9 }).toArray() // => [[9, 1, 2], [9, 9, 9]]
 * ```
 *
 * @throws EinstreamError E_SHAPE for a negative count or a wrong number of pairs, E_LIMIT when the result would be too
 *   large, E_DTYPE for a value that the dtype cannot hold
 */
export const pad = defineOp<1, PadParams>({
  name: 'pad',
  doc: 'The tensor with one value around it: [before, after] for each axis.',
  arity: 1,
  params: { pads: pairs, value: real(0) },
  dtype: ([x], { value }) => heldBy(x, value as number),
  shape: paddedDims,
  pieces: ({ pads, value = 0 }) => ({ fill: value, pieces: [{ input: 0, start: pads.map(([before]) => before) }] }),
  tolerance: { relative: 0, absolute: 0 },
  vjp: (dy, _inputs, _y, g, { pads }) => [
    g.slice(dy, { specs: pads.map(([before, after]) => range(before, after === 0 ? null : -after)) }),
  ],
  examples: [
    {
      inputs: [[[1, 2]]],
      params: {
        pads: [
          [0, 1],
          [1, 0],
        ],
        value: 9,
      },
      output: [
        [9, 1, 2],
        [9, 9, 9],
      ],
    },
  ],
});

function heldBy(dtype: ComputedDType, value: number): ComputedDType {
  const fits = dtype === 'int32' ? (value | 0) === value : dtype === 'bool' ? value === 0 || value === 1 : true;
  if (fits) return dtype;
  throw fault('E_DTYPE', {
    op: 'pad',
    rule: 'the value must be one of the tensor’s dtype',
    expected: dtype,
    actual: String(value),
    hint: 'cast the tensor first',
  });
}

function paddedDims([dims]: readonly (Dims | undefined)[], { pads }: PadParams, place: Place): Dims {
  const negative = pads.findIndex((pair) => pair.some((count) => count < 0));
  if (negative >= 0) {
    throw fault('E_SHAPE', {
      ...place,
      rule: `counts of padding are at least 0, also at axis ${negative}`,
      actual: `[${pads[negative].join(', ')}]`,
      hint: 'slice takes elements away',
    });
  }
  if (dims !== undefined && pads.length !== dims.length) {
    throw fault('E_SHAPE', {
      ...place,
      rule: 'there must be one pair for each axis',
      expected: `${dims.length} pairs for shape ${formatShape(dims)}`,
      actual: `${pads.length}`,
    });
  }
  const padded = pads.map(([before, after], axis) => {
    const dim = dims?.[axis] ?? null;
    return typeof dim === 'number' ? dim + before + after : before + after === 0 ? dim : null;
  });
  // An unknown size is at least what is put around it.
  bounded(
    padded.map((dim, axis) => dim ?? Math.max(1, pads[axis][0] + pads[axis][1])),
    place,
  );
  return padded;
}
