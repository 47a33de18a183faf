import { expect } from 'chai';
import { EinstreamError } from '../../../src/errors/index.js';
import { dot, einsum, matmul, outer } from '../../../src/ops/index.js';
import { findOp } from '../../../src/ops/registry.js';
import type { Dims } from '../../../src/ops/dims.js';
import { arange, tensor, type Shape, type Tensor } from '../../../src/tensor/index.js';

const counted = (...shape: number[]): Tensor =>
  tensor(
    arange(
      shape.reduce((n, size) => n * size, 1),
      { dtype: 'float64' },
    ).data,
    { shape },
  );
const shapeOf = (op: string, ...inputs: readonly (Dims | undefined)[]): Dims | undefined => findOp(op)!.shape(inputs, {}, { op });

describe('matmul', () => {
  it('is the product of the last two axes, and the axes before them broadcast', () => {
    for (const [x, y, spec] of [
      [[2, 3], [3, 4], 'ij,jk->ik'],
      [[3], [3], 'j,j->'],
      [[2, 3], [3], 'ij,j->i'],
      [[3], [3, 4], 'j,jk->k'],
      [[5, 2, 3], [3], 'bij,j->bi'],
      [[3], [5, 3, 4], 'j,bjk->bk'],
      [[5, 1, 2, 3], [6, 3, 4], 'abij,bjk->abik'],
      [[1, 2, 3], [2, 3, 5], '...ij,...jk->...ik'],
      [[2, 0], [0, 3], 'ij,jk->ik'],
      [[0, 2, 3], [3, 2], 'bij,jk->bik'],
    ] as readonly (readonly [number[], number[], string])[]) {
      const [a, b] = [counted(...x), counted(...y)];
      const got = matmul(a, b);
      const want = einsum(spec, a, b);
      expect(got.shape, spec).to.deep.equal(want.shape);
      expect(got.toArray(), spec).to.deep.equal(want.toArray());
    }
  });

  it('gives int32 for integers', () => {
    expect(matmul(tensor(Int32Array.of(1, 2)), tensor([true, true])).dtype).to.equal('int32');
  });

  it('knows its shape before the sizes are known', () => {
    expect(shapeOf('matmul', ['n', 784], [784, 10])).to.deep.equal(['n', 10]);
    expect(shapeOf('matmul', ['b', 'n', 'k'], ['k'])).to.deep.equal(['b', 'n']);
    expect(shapeOf('matmul', undefined, [3, 4])).to.equal(undefined);
  });

  it('does not stretch the summed axis, and takes no scalars', () => {
    expect(() => matmul(counted(2, 1), counted(3, 4))).to.throw(
      EinstreamError,
      'matmul: the last axis of the left operand and the last but one of the right must have one size; expected 1 (axis 1 of operand 0, shape [2, 1]), got 3 (axis 0 of operand 1, shape [3, 4])',
    );
    expect(() => matmul(counted(2, 3), counted(4))).to.throw(
      EinstreamError,
      'expected 3 (axis 1 of operand 0, shape [2, 3]), got 4 (axis 0 of operand 1, shape [4])',
    );
    expect(() => matmul(counted(2, 2), 3)).to.throw(EinstreamError, 'matmul takes no scalars; got shapes [2, 2] and []');
    expect(() => matmul(counted(2, 3, 3), counted(4, 3, 3))).to.throw(
      EinstreamError,
      /must broadcast from the right.*size = 2 .*size = 4/,
    );
  });
});

describe('dot', () => {
  it('sums the last axis of the one with the last but one of the other', () => {
    for (const [x, y, spec] of [
      [[3], [3], 'i,i->'],
      [[2, 3], [3], 'ij,j->i'],
      [[2, 3], [3, 4], 'ij,jk->ik'],
      [[2, 3], [5, 3, 4], 'ij,bjk->ibk'],
      [[2, 2, 3], [5, 3, 4], 'aij,bjk->aibk'],
      [[3], [5, 3, 4], 'j,bjk->bk'],
      [[], [2, 2], ',ij->ij'],
      [[2], [], 'i,->i'],
    ] as readonly (readonly [number[], number[], string])[]) {
      const [a, b] = [counted(...x), counted(...y)];
      expect(dot(a, b).shape, spec).to.deep.equal(einsum(spec, a, b).shape);
      expect(dot(a, b).toArray(), spec).to.deep.equal(einsum(spec, a, b).toArray());
    }
  });

  it('refuses sizes that differ', () => {
    expect(() => dot(counted(2, 3), counted(4, 2))).to.throw(
      EinstreamError,
      'expected 3 (axis 1 of operand 0, shape [2, 3]), got 4 (axis 0 of operand 1, shape [4, 2])',
    );
    expect(shapeOf('dot', ['n', 3], [3, null])).to.deep.equal(['n', null]);
  });

  it('has no limit of letters', () => {
    const ones = (rank: number): Shape => new Array<number>(rank).fill(1);
    expect(dot(counted(...ones(30)), counted(...ones(30))).shape).to.deep.equal(ones(58));
  });
});

describe('outer', () => {
  it('is all products of two vectors', () => {
    expect(outer(tensor([1, 2]), tensor([3, 4, 5])).toArray()).to.deep.equal([
      [3, 4, 5],
      [6, 8, 10],
    ]);
    expect(outer(counted(1), counted(0)).shape).to.deep.equal([1, 0]);
    expect(shapeOf('outer', ['n'], undefined)).to.deep.equal(['n', null]);
  });

  it('flattens nothing unasked', () => {
    expect(() => outer(counted(2, 2), counted(2))).to.throw(
      EinstreamError,
      'outer takes two vectors; got shape [2, 2] (reshape it to one axis first)',
    );
  });
});
