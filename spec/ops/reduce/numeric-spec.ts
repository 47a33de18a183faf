/** @file Sums that stay exact and extremes that keep NaN. */
import { expect } from 'chai';
import {
  all,
  any,
  argmax,
  argmin,
  logsumexp,
  max,
  mean,
  min,
  prod,
  std,
  sum,
  variance,
  type ReduceParams,
} from '../../../src/ops/index.js';
import { tensor } from '../../../src/tensor/create.js';
import { tensorOver, type Tensor } from '../../../src/tensor/tensor.js';

const doubles = (...values: number[]) => tensor(Float64Array.from(values));
const value = (op: (x: Tensor, params?: ReduceParams) => Tensor, ...values: number[]) => op(doubles(...values)).toArray();

describe('reduce, numerically', () => {
  it('adds a million float32 tenths to within one rounding, because it adds in float64 (N8)', () => {
    const size = 1_000_000;
    const tenths = tensorOver(new Float32Array(size).fill(0.1), 'float32', [size]);
    const exact = Math.fround(0.1) * size;
    expect(sum(tenths).toArray()).to.equal(Math.fround(exact));
    expect(mean(tenths).toArray()).to.equal(Math.fround(0.1));
    const naive = new Float32Array(size).fill(0.1).reduce((total, x) => Math.fround(total + x), 0);
    expect(Math.abs(naive - exact), 'adding in float32 would be wrong by').to.be.greaterThan(900);
  });

  it('keeps the 1 in 1e8 + 1 − 1e8, which float32 addition would lose (N8)', () => {
    expect(sum(tensor([1e8, 1, -1e8])).toArray()).to.equal(1);
    expect(Math.fround(Math.fround(1e8 + 1) - 1e8)).to.equal(0);
    expect(variance(doubles(1e8, 1e8 + 1, 1e8 + 2)).toArray()).to.be.closeTo(2 / 3, 1e-12);
  });

  it('has the right logsumexp of −∞, of huge numbers and of mixtures (N2)', () => {
    const rows: readonly (readonly [readonly number[], number])[] = [
      [[-Infinity, -Infinity], -Infinity],
      [[-Infinity, 3], 3],
      [[Infinity, 1], Infinity],
      [[Infinity, -Infinity], Infinity],
      [[Infinity, Infinity], Infinity],
      [[NaN, Infinity], NaN],
      [[NaN, -Infinity], NaN],
      [[1e308, 1e308], 1e308],
      [[-1e308, -1e308], -1e308],
      [[710, 710], 710 + Math.LN2],
      [[-800, -800], -800 + Math.LN2],
    ];
    for (const [values, want] of rows) expect(value(logsumexp, ...values), String(values)).to.deep.equal(want);
  });

  it('lets NaN win extremes, and finds the first (N1)', () => {
    expect([value(max, 1, NaN, 3), value(min, 1, NaN, 3), value(argmax, 1, NaN, 3, NaN), value(argmin, 1, NaN, 3)]).to.deep.equal(
      [NaN, NaN, 1, 1],
    );
    expect([
      value(max, -Infinity),
      value(min, Infinity),
      value(argmax, -Infinity, -Infinity),
      value(argmin, Infinity),
    ]).to.deep.equal([-Infinity, Infinity, 0, 0]);
    expect(value(argmax, -0, 0)).to.equal(0);
  });

  it('counts NaN as true', () => {
    expect([value(any, 0, NaN), value(all, 1, NaN), value(any, 0, -0)]).to.deep.equal([true, true, false]);
  });

  it('gives NaN, not an error, for a variance without degrees of freedom (G11)', () => {
    expect(variance(tensor([5]), { ddof: 1 }).toArray()).to.deep.equal(NaN);
    expect(std(tensor([1, 2]), { ddof: 2 }).toArray()).to.equal(Infinity);
    expect(variance(tensor([1, 2]), { ddof: 0 }).toArray()).to.equal(0.25);
  });

  it('multiplies 0 by Infinity to NaN', () => {
    expect(value(prod, 0, Infinity)).to.deep.equal(NaN);
  });
});
