/**
 * @file A generator of einsums with operands that fit, and their meaning, written down a second time without any plan.
 */
import fc from 'fast-check';
import type { Shape } from '../../src/tensor/shape.js';
import { Tensor, type NestedArray } from '../../src/tensor/index.js';

export interface AnyEinsum {
  readonly spec: string;
  readonly tensors: readonly Tensor[];
  /** What each axis is called: a letter, or `.k` for the k-th axis of the ellipsis from the right. */
  readonly axes: readonly (readonly string[])[];
  readonly output: readonly string[];
}

const LETTERS = [...'abcdeF'];
const subscript = fc.record({
  letters: fc.array(fc.constantFrom(...LETTERS), { maxLength: 3 }),
  /** Where the ellipsis stands, if at all. */
  dots: fc.option(fc.nat(3), { freq: 2 }),
  under: fc.nat(2),
  stretched: fc.uniqueArray(fc.constantFrom(...LETTERS, '.0', '.1'), { maxLength: 2 }),
  strides: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 5, maxLength: 5 }),
  salt: fc.nat(100),
});

/** Sizes 0 to 3 (`minSize` to 3), rank 0 to 5, diagonals, stretched axes; layouts with negative, zero and overlapping strides. */
export const anyEinsum = (options: {
  maxOperands: number;
  minSize?: number;
  special?: readonly number[];
}): fc.Arbitrary<AnyEinsum> =>
  fc
    .record({
      sizes: fc.array(fc.integer({ min: options.minSize ?? 0, max: 3 }), { minLength: 8, maxLength: 8 }),
      operands: fc.array(subscript, { minLength: 1, maxLength: options.maxOperands }),
      order: fc.shuffledSubarray(LETTERS),
      dots: fc.option(fc.nat(6), { freq: 3 }),
    })
    .map(({ sizes, operands, order, dots }) => {
      const sizeOf = (axis: string): number => sizes[axis.startsWith('.') ? 6 + Number(axis[1]) : LETTERS.indexOf(axis)];
      const axes = operands.map(({ letters, dots: at, under }) => namesOf(letters, at, at === null ? 0 : under));
      const used = order.filter((letter) => axes.some((names) => names.includes(letter)));
      const span = Math.max(...operands.map((operand) => (operand.dots === null ? 0 : operand.under)));
      return {
        spec: `${operands.map((o) => written(o.letters, o.dots)).join(',')}->${written(used, dots)}`,
        tensors: operands.map(({ stretched, strides, salt }, i) =>
          laidOut(
            axes[i].map((axis) => (stretched.includes(axis) ? 1 : sizeOf(axis))),
            strides,
            (address) => options.special?.[(address + salt) % 17] ?? (((address + salt) * 7) % 11) - 5,
          ),
        ),
        axes,
        output: namesOf(used, dots, dots === null ? 0 : span),
      };
    });

const written = (letters: readonly string[], dots: number | null): string =>
  dots === null ? letters.join('') : [...letters.slice(0, dots), '...', ...letters.slice(dots)].join('');

const namesOf = (letters: readonly string[], dots: number | null, under: number): readonly string[] => [
  ...letters.slice(0, dots ?? 0),
  ...Array.from({ length: under }, (_, i) => `.${under - 1 - i}`),
  ...letters.slice(dots ?? 0),
];

/** A tensor whose elements lie `strides` apart, whatever that makes of it. */
export function laidOut(shape: Shape, strides: readonly number[], valueAt: (address: number) => number): Tensor {
  const steps = shape.map((_, axis) => strides[axis]);
  const reach = shape.map((size, axis) => Math.max(0, size - 1) * steps[axis]);
  const offset = reach.reduce((sum, r) => sum - Math.min(0, r), 0);
  const length = offset + reach.reduce((sum, r) => sum + Math.max(0, r), 0) + 1;
  const size = shape.reduce((product, n) => product * n, 1);
  return new Tensor('float64', shape, steps, offset, size, {
    array: Float64Array.from({ length }, (_, i) => valueAt(i)),
    retired: false,
  });
}

/** How two numbers are multiplied and added. */
export interface Arithmetic {
  readonly times: (x: number, y: number) => number;
  readonly plus: (x: number, y: number) => number;
}

const float64: Arithmetic = { times: (x, y) => x * y, plus: (x, y) => x + y };

/** The elements of the result, row-major: for every index of the output the sum over all other indices. */
export function meaningOf({ tensors, axes, output }: AnyEinsum, { times, plus }: Arithmetic = float64): readonly number[] {
  const sizes = new Map<string, number>();
  axes.forEach((names, i) =>
    names.forEach((name, axis) => {
      const size = tensors[i].shape[axis];
      if (size !== 1 || !sizes.has(name)) sizes.set(name, size);
    }),
  );
  const nested = tensors.map((t) => t.toArray());
  const summed = [...sizes.keys()].filter((name) => !output.includes(name));
  const index = new Map<string, number>();
  const each = (names: readonly string[], visit: () => void): void => {
    if (names.length === 0) return visit();
    for (let i = 0; i < sizes.get(names[0])!; i++) {
      index.set(names[0], i);
      each(names.slice(1), visit);
    }
  };
  const element = (i: number): number =>
    Number(
      axes[i].reduce<NestedArray>(
        (part, name, axis) => (part as NestedArray[])[tensors[i].shape[axis] === 1 ? 0 : index.get(name)!],
        nested[i],
      ),
    );
  const result: number[] = [];
  each(output, () => {
    const terms: number[] = [];
    each(summed, () => void terms.push(tensors.map((_, i) => element(i)).reduce(times)));
    result.push(terms.reduce(plus, summed.length === 0 ? -0 : 0));
  });
  return result;
}
