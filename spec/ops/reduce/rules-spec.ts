/** @file What reductions say of axes, empty groups, element types and shapes that are not known yet. */
import { expect } from 'chai';
import { EinstreamError } from '../../../src/errors/index.js';
import type { Dims } from '../../../src/ops/dims.js';
import {
  all,
  any,
  argmax,
  argmin,
  count,
  l2norm,
  logsumexp,
  max,
  mean,
  min,
  prod,
  std,
  sum,
  sumsq,
  variance,
} from '../../../src/ops/index.js';
import { readParams } from '../../../src/ops/params.js';
import { ops, type NamedOp } from '../../../src/ops/registry.js';
import { tensor } from '../../../src/tensor/create.js';
import { zeros } from '../../../src/tensor/fill.js';

const REDUCTIONS = { all, any, argmax, argmin, count, l2norm, logsumexp, max, mean, min, prod, std, sum, sumsq, var: variance };
const x = tensor([
  [1, 2, 3],
  [4, 5, 6],
]);

const dimsAfter = (op: { definition: NamedOp['definition'] }, dims: Dims | undefined, params?: object) =>
  op.definition.shape([dims], readParams(op.definition, params, { op: 'test' }), { op: 'test' });

describe('reduce', () => {
  it('folds nothing for [] and everything where no axis is given (F145)', () => {
    expect(sum(x, { axis: [] }).toArray()).to.deep.equal([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    expect(variance(x, { axis: [] }).toArray()).to.deep.equal([
      [0, 0, 0],
      [0, 0, 0],
    ]);
    expect(argmax(x, { axis: [] }).toArray()).to.deep.equal([
      [0, 0, 0],
      [0, 0, 0],
    ]);
    for (const axis of [undefined, null, [0, 1], [1, 0], [-1, 0]]) expect(sum(x, { axis }).toArray()).to.equal(21);
  });

  it('keeps folded axes as size 1 where asked', () => {
    expect(mean(x, { axis: 1, keepdims: true }).toArray()).to.deep.equal([[2], [5]]);
    expect(max(x, { keepdims: true }).shape).to.deep.equal([1, 1]);
  });

  for (const [name, op] of Object.entries(REDUCTIONS)) {
    it(`${name} refuses an axis that is not there, or named twice, naming it and the rank (F145, G11)`, () => {
      expect(() => op(x, { axis: 2 }))
        .to.throw(EinstreamError, /axis 2 must exist.*of a tensor of rank 2/)
        .with.property('code', 'E_SHAPE');
      expect(() => op(x, { axis: [1, -1] }))
        .to.throw(EinstreamError, /axis 1 must be named once.*rank 2/)
        .with.property('code', 'E_SHAPE');
      expect(() => op(tensor(1), { axis: 0 }))
        .to.throw(EinstreamError, /axis 0.*rank 0/)
        .with.property('code', 'E_SHAPE');
      expect(() => op(x, { axis: 0.5 }))
        .to.throw(EinstreamError)
        .with.property('code', 'E_ARGUMENT');
    });
  }

  it('has no extreme of nothing, and says which axis is empty (F145)', () => {
    for (const op of [max, min, argmax, argmin]) {
      expect(() => op(zeros([2, 0]), { axis: 1 }))
        .to.throw(EinstreamError, /axis 1 has no elements.*shape \[2, 0\]/)
        .with.property('code', 'E_SHAPE');
      expect(op(zeros([2, 0]), { axis: 0 }).shape).to.deep.equal([0]);
      expect(() => dimsAfter(op, ['n', 0])).to.throw(EinstreamError, /axis 1/);
    }
  });

  it('has a value for nothing where there is one: sum 0, prod 1, mean NaN, any false, all true, count 0, logsumexp -Infinity (F145)', () => {
    const nothing = zeros([0]);
    const values = [sum, prod, mean, any, all, count, logsumexp, l2norm, variance].map((op) => op(nothing).toArray());
    expect(values).to.deep.equal([0, 1, NaN, false, true, 0, -Infinity, 0, NaN]);
  });

  it('gives int32 for sums of int32 and bool, wrapping; float32 for their means; bool for truths (N3)', () => {
    const most = tensor(Int32Array.of(2 ** 31 - 1, 1));
    const bits = tensor([true, true, false]);
    expect(sum(most).dtype).to.equal('int32');
    expect(sum(most).toArray()).to.equal(-(2 ** 31));
    expect(prod(tensor(Int32Array.of(65537, 65537))).toArray()).to.equal(131073);
    expect(prod(tensor(Int32Array.of(2 ** 31 - 1, 2 ** 31 - 1, 3))).toArray()).to.equal(3);
    expect([sum(bits).dtype, sum(bits).toArray()]).to.deep.equal(['int32', 2]);
    expect([mean(most).dtype, variance(bits).dtype, logsumexp(most).dtype]).to.deep.equal(['float32', 'float32', 'float32']);
    expect([max(bits).dtype, max(most).dtype, argmax(bits).dtype, count(bits).dtype, any(most).dtype]).to.deep.equal([
      'bool',
      'int32',
      'int32',
      'int32',
      'bool',
    ]);
    expect([sum(tensor(Float64Array.of(1))).dtype, mean(tensor(1)).dtype]).to.deep.equal(['float64', 'float32']);
  });

  it('knows of a result what can be known of its operand', () => {
    expect(dimsAfter(sum, ['n', 3, null], { axis: 1 })).to.deep.equal(['n', null]);
    expect(dimsAfter(sum, ['n', 3], { axis: -1, keepdims: true })).to.deep.equal(['n', 1]);
    expect(dimsAfter(sum, undefined)).to.deep.equal([]);
    expect(dimsAfter(sum, undefined, { axis: 0 })).to.equal(undefined);
    expect(() => dimsAfter(sum, ['n'], { axis: 1 })).to.throw(EinstreamError, /rank 1/);
  });

  it('answers to its other names', () => {
    for (const [alias, name] of [
      ['amax', 'max'],
      ['amin', 'min'],
      ['product', 'prod'],
      ['norm', 'l2norm'],
      ['count_nonzero', 'count'],
      ['variance', 'var'],
    ]) {
      expect(ops[alias]).to.equal(ops[name]);
    }
  });

  it('refuses a parameter that it does not have', () => {
    expect(() => sum(x, { axes: 0 } as object))
      .to.throw(EinstreamError, /parameter "axes" is unknown/)
      .with.property('code', 'E_ARGUMENT');
  });
});
