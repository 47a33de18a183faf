/**
 * @file Any nest of the loop IR with tensors to run it on: what lowering makes, and much that it never would.
 */
import fc from 'fast-check';
import type { Access, KernelIR, NestIR } from '../../src/codegen/ir.js';
import type { KernelFunction } from '../../src/codegen/interpret.js';
import type { Monoid } from '../../src/ops/op.js';
import { BINARY_FUNCTIONS, s, UNARY_FUNCTIONS, type Scalar } from '../../src/ops/scalar.js';
import { arrayOf, type TypedArray } from '../../src/tensor/dtype.js';
import { rowMajorStrides } from '../../src/tensor/shape.js';
import { Tensor } from '../../src/tensor/tensor.js';
import { anyDType, anyLie, lying } from './anyLayout.js';

export interface AnyNest {
  readonly ir: NestIR;
  readonly inputs: readonly Tensor[];
}

/** Terms over so many operands and folds; `folded` ones know their position and count. */
export function anyTerm(operands: number, folds: number, folded: boolean): fc.Arbitrary<Scalar> {
  const leaves: fc.Arbitrary<Scalar>[] = [fc.constantFrom(0, 1, -0, 0.1, -3, 2 ** 31, NaN, Infinity).map(s.constant)];
  for (let k = 0; k < operands; k++) leaves.push(fc.constant(s.operand(k)), fc.constant(s.operand(k)));
  for (let k = 0; k < folds; k++) leaves.push(fc.constant(s.fold(k)));
  if (folded) leaves.push(fc.constant(s.position), fc.constant(s.count));
  const tie = (depth: number): fc.Arbitrary<Scalar> => {
    if (depth === 0) return fc.oneof(...leaves);
    const x = tie(depth - 1);
    return fc.oneof(
      ...leaves,
      fc.tuple(fc.constantFrom(...UNARY_FUNCTIONS), x).map(([fn, a]) => s[fn](a)),
      fc.tuple(fc.constantFrom(...BINARY_FUNCTIONS), x, x).map(([fn, a, b]) => s[fn](a, b)),
      // One subterm, used twice: it is computed once.
      fc.tuple(fc.constantFrom('add', 'mul', 'sub', 'max'), x).map(([fn, a]) => s[fn as 'add'](a, a)),
      fc.tuple(x, x, x).map(([test, a, b]) => s.select(test, a, b)),
      fc.tuple(anyDType, x).map(([dtype, a]) => s.roundTo(dtype, a)),
    );
  };
  return tie(3);
}

/** Each fold may read the folds before it. */
const anyFolds = (operands: number, count: number): fc.Arbitrary<NestIR['folds']> =>
  fc.tuple(
    ...Array.from({ length: count }, (_, k) =>
      fc.record({ monoid: fc.constantFrom<Monoid>('sum', 'prod', 'max', 'min'), value: anyTerm(operands, k, true) }),
    ),
  );

const input = (extents: readonly number[]): fc.Arbitrary<{ readonly tensor: Tensor; readonly access: Access }> =>
  fc.tuple(anyDType, anyLie(), fc.nat(1)).map(([dtype, lie, offset]) => {
    const tensor = lying(extents, dtype, lie);
    return { tensor, access: { dtype, strides: tensor.strides, offset } };
  });

/** Row-major with a gap, so that no two results share a place. */
const strided = (extents: readonly number[], gap: number): readonly number[] =>
  rowMajorStrides(extents).map((stride) => stride * gap);

export const anyNest: fc.Arbitrary<AnyNest> = anyNestOver(fc.array(fc.constantFrom(0, 1, 1, 2, 2, 3, 4), { maxLength: 5 }));

/** Of the extents that are given. */
export function anyNestOver(sizes: fc.Arbitrary<readonly number[]>): fc.Arbitrary<AnyNest> {
  return fc.tuple(sizes, fc.nat(5), fc.nat(3), fc.nat(2)).chain(([extents, split, inputCount, foldCount]) => {
    const outer = foldCount === 0 ? extents.length : Math.min(split, extents.length);
    return fc
      .record({
        given: fc.tuple(...Array.from({ length: inputCount }, () => input(extents))),
        folds: anyFolds(inputCount, foldCount),
        emits: foldCount === 0 ? fc.constant('group' as const) : fc.constantFrom('group' as const, 'element' as const),
        dtype: anyDType,
        gap: fc.integer({ min: 1, max: 2 }),
        offset: fc.nat(2),
      })
      .chain(({ given, folds, emits, dtype, gap, offset }) =>
        anyTerm(inputCount, foldCount, emits === 'element').map((result): AnyNest => {
          const strides =
            emits === 'element'
              ? strided(extents, gap)
              : [...strided(extents.slice(0, outer), gap), ...extents.slice(outer).map(() => 0)];
          const inputs = given.map(({ access }) => access);
          return {
            ir: { kind: 'nest', extents, outer, inputs, folds, result, emits, output: { dtype, strides, offset } },
            inputs: given.map(({ tensor }) => tensor),
          };
        }),
      );
  });
}

/** All elements that the kernel leaves in a buffer with room to spare, so that a write astray is seen. */
export function resultOf(kernel: KernelFunction, ir: KernelIR, inputs: readonly Tensor[]): TypedArray {
  const { dtype, strides, offset } = ir.output;
  const reach = ir.extents.reduce((sum, extent, axis) => sum + Math.max(0, extent - 1) * strides[axis], 0);
  const array = new (arrayOf(dtype))(reach + offset + 4);
  (array as Float64Array).fill(1);
  kernel(inputs, [new Tensor(dtype, [], [], 1, 1, { array, retired: false })]);
  return array;
}
