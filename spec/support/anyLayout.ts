/**
 * @file Tensors as they may lie in memory: permuted, backwards, with gaps, repeating, overlapping; all computed dtypes.
 */
import fc from 'fast-check';
import { arrayOf, type ComputedDType } from '../../src/tensor/dtype.js';
import { rowMajorStrides, type Shape } from '../../src/tensor/shape.js';
import { Tensor } from '../../src/tensor/tensor.js';

const MIN = -(2 ** 31);
/** What arithmetic goes wrong at first. */
const SPECIALS: Readonly<Record<ComputedDType, readonly number[]>> = {
  bool: [0, 1],
  int32: [0, 1, -1, MIN, -MIN - 1, 65536, -65537],
  float32: [0, -0, 1, -1, NaN, Infinity, -Infinity, 1.401298464324817e-45, 3.4028234663852886e38, 0.5, 2147483648],
  float64: [0, -0, 1, -1, NaN, Infinity, -Infinity, 5e-324, 1.7976931348623157e308, 0.5, 4503599627370497],
};

export type Values = 'plain' | 'special';

/** An element from its address: the same for the same salt. */
export function valueAt(dtype: ComputedDType, values: Values, salt: number, address: number): number {
  let hash = Math.imul(address + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = (hash ^ (hash >>> 12)) >>> 0;
  const specials = SPECIALS[dtype];
  if (values === 'special' && hash % 3 !== 0) return specials[(hash >>> 4) % specials.length];
  if (dtype === 'bool') return hash & 1;
  if (dtype === 'int32') return values === 'special' ? hash | 0 : (hash % 41) - 20;
  return ((hash % 4001) - 2000) / 97;
}

/** How a tensor lies. Each number is read modulo what there is to choose. */
export interface Lie {
  readonly order: number;
  readonly gap: number;
  /** Bits: axes that run backwards. */
  readonly flips: number;
  /** Bits: axes that repeat one element. */
  readonly repeats: number;
  /** Strides without regard to others, so that elements overlap. */
  readonly overlaps: readonly number[] | null;
  readonly salt: number;
  readonly values: Values;
}

const mask = (weight: number) => fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, { arbitrary: fc.nat(255), weight });

export const anyLie = (values: fc.Arbitrary<Values> = fc.constantFrom('plain', 'special')): fc.Arbitrary<Lie> =>
  fc.record({
    order: fc.nat(7),
    gap: fc.integer({ min: 1, max: 2 }),
    flips: mask(2),
    repeats: mask(1),
    overlaps: fc.option(fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 8, maxLength: 8 }), { freq: 4 }),
    salt: fc.nat(1000),
    values,
  });

function stridesOf(shape: Shape, { order, gap, flips, repeats, overlaps }: Lie): readonly number[] {
  if (overlaps !== null) return shape.map((_, axis) => overlaps[axis]);
  const rank = shape.length;
  const place = (axis: number): number => (rank === 0 ? 0 : (axis + order) % rank);
  const laid = rowMajorStrides(shape.map((_, at) => shape[shape.findIndex((_each, axis) => place(axis) === at)]));
  const signed = (axis: number): number => laid[place(axis)] * gap * ((flips >> axis) % 2 === 1 ? -1 : 1);
  return shape.map((_, axis) => ((repeats >> axis) % 2 === 1 ? 0 : signed(axis)));
}

/** A tensor of this shape that lies so, with room before and after its elements. */
export function lying(shape: Shape, dtype: ComputedDType, lie: Lie): Tensor {
  const strides = stridesOf(shape, lie);
  const reach = shape.map((size, axis) => Math.max(0, size - 1) * strides[axis]);
  const offset = 1 + reach.reduce((sum, r) => sum - Math.min(0, r), 0);
  const length = offset + reach.reduce((sum, r) => sum + Math.max(0, r), 0) + 2;
  const array = new (arrayOf(dtype))(length) as Float64Array; // one type stands for all that hold numbers
  for (let i = 0; i < length; i++) array[i] = valueAt(dtype, lie.values, lie.salt, i);
  return new Tensor(
    dtype,
    shape,
    strides,
    offset,
    shape.reduce((n, size) => n * size, 1),
    { array, retired: false },
  );
}

export const anyDType = fc.constantFrom<ComputedDType>('float32', 'float64', 'int32', 'bool');

/** Tensors of a shape. */
export const tensorLike = (
  shape: Shape,
  dtype: fc.Arbitrary<ComputedDType> = anyDType,
  lie: fc.Arbitrary<Lie> = anyLie(),
): fc.Arbitrary<Tensor> => fc.tuple(dtype, lie).map(([type, lies]) => lying(shape, type, lies));

/** Rank 0 to 8 (`maxRank`), few elements; sizes of 0 and 1 often. */
export const anySmallShape = (options: { maxRank?: number; minSize?: number } = {}): fc.Arbitrary<Shape> => {
  const { maxRank = 8, minSize = 0 } = options;
  const size = fc.constantFrom(...[0, 1, 1, 2, 2, 3, 3, 4, 5].filter((n) => n >= minSize));
  return fc.array(size, { maxLength: maxRank }).map((shape) => {
    let count = 1;
    return shape.map((each) => {
      const kept = count * each > 240 ? 1 : each;
      count *= kept;
      return kept;
    });
  });
};

/** Shapes that broadcast against `shape`: leading axes left out, others stretched. */
export const broadcastable = (shape: Shape): fc.Arbitrary<Shape> =>
  fc
    .tuple(fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, fc.nat(shape.length)), mask(2))
    .map(([lead, ones]) => shape.slice(lead).map((size, axis) => ((ones >> axis) % 2 === 1 ? 1 : size)));

/** A tensor that lies as another does, with elements of its own. */
export function retyped(
  { shape, strides, offset, size, buffer }: Tensor,
  dtype: ComputedDType,
  values: Values,
  salt: number,
): Tensor {
  const array = new (arrayOf(dtype))(buffer.array.length) as Float64Array;
  for (let i = 0; i < array.length; i++) array[i] = valueAt(dtype, values, salt, i);
  return new Tensor(dtype, shape, strides, offset, size, { array, retired: false });
}
