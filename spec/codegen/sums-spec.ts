/** @file The error of long sums on the engine, in units in the last place, beside what a float32 loop would lose. */
import { expect } from 'chai';
import { js, type ComputedDType, type Tensor } from '../../src/index.js';
import { applyInGraph } from '../oracle/throughGraph.js';
import { tensorOver } from '../../src/tensor/tensor.js';
import { arrayOf } from '../../src/tensor/dtype.js';
import { propertyRuns } from '../support/property.js';

const COUNT = propertyRuns(1_000_000, 10_000_000, 10_000_000);
const constant = (dtype: ComputedDType, value: number, count: number): Tensor => {
  const array = new (arrayOf(dtype))(count) as Float64Array;
  return tensorOver(array.fill(value), dtype, [count]);
};
const ulp = (x: number, bits: number): number => 2 ** (Math.floor(Math.log2(Math.abs(x))) - bits);
const apply = applyInGraph(js({ kernels: 'generate' }));
const scalar = (t: Tensor): number => Number(t.data[0]);

/** n · x exactly, for a double x: a product of integers, rounded once. */
function times(n: number, x: number): number {
  let [mantissa, exponent] = [x, 0];
  while (!Number.isInteger(mantissa)) [mantissa, exponent] = [mantissa * 2, exponent + 1];
  return Number(BigInt(mantissa) * BigInt(n)) / 2 ** exponent;
}

describe(`a sum of ${COUNT.toLocaleString('en')} tenths (N8)`, () => {
  it('in float32 is the exact sum, rounded once: float64 holds every partial sum', () => {
    const x = constant('float32', 0.1, COUNT);
    const exact = times(COUNT, Math.fround(0.1));
    let naive = 0;
    for (let i = 0; i < COUNT; i++) naive = Math.fround(naive + Math.fround(0.1));
    console.log(`      engine 0 ULP, a float32 loop ${Math.round(Math.abs(naive - exact) / ulp(exact, 23))} ULP`);
    expect(scalar(apply('sum', [x]))).to.equal(Math.fround(exact));
    expect(scalar(apply('einsum', [x], { spec: 'i->' }))).to.equal(Math.fround(exact));
    expect(scalar(apply('einsum', [x, constant('float32', 1, COUNT)], { spec: 'i,i->' }))).to.equal(Math.fround(exact));
    expect(scalar(apply('mean', [x]))).to.equal(Math.fround(0.1));
    expect(Math.abs(naive - exact)).to.be.greaterThan(100 * ulp(exact, 23));
  });

  it('in float64 is off by less than n · 2⁻⁵³ of its magnitude', () => {
    const exact = times(COUNT, 0.1);
    const got = scalar(apply('sum', [constant('float64', 0.1, COUNT)]));
    console.log(
      `      float64: ${Math.abs(got - exact) / ulp(exact, 52)} ULP, relative ${(Math.abs(got - exact) / exact).toExponential(1)}`,
    );
    expect(Math.abs(got - exact)).to.be.at.most(COUNT * 2 ** -53 * exact);
  });
});

describe('cancellation (N8)', () => {
  for (const kernels of ['generate', 'interpret'] as const) {
    it(`keeps the 1 in 1e8 + 1 − 1e8, in sums and in products of float32 (${kernels})`, () => {
      const x = tensorOver(Float32Array.of(1e8, 1, -1e8), 'float32', [3]);
      const on = applyInGraph(js({ kernels }));
      expect(scalar(on('sum', [x]))).to.equal(1);
      expect(scalar(on('einsum', [x, constant('float32', 1, 3)], { spec: 'i,i' }))).to.equal(1);
      expect(scalar(on('dot', [x, constant('float32', 1, 3)]))).to.equal(1);
      const three = [x, constant('float32', 1, 3), constant('float32', 1, 3)];
      expect(scalar(on('einsum', three, { spec: 'i,i,i->' }))).to.equal(1);
    });
  }
});
