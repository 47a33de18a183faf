/** @file Gradients held within bounds (F012). */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  backward, clipByGlobalNorm, clipByValue, evaluateSync, graph, input, mul, sum, tensor, variable, type Tensor, type TrainOptions,
} from '../../src/index.js'; // prettier-ignore
import { propertyRuns, propertySeed } from '../support/property.js';
import { thrownBy } from '../support/thrownBy.js';
import { batchesOf, optimizers, trained } from './models.js';

const normOf = (gradients: Readonly<Record<string, Tensor>>): number =>
  Math.hypot(...Object.values(gradients).flatMap(({ data }) => [...(data as Float64Array)]));

describe('clipByGlobalNorm', () => {
  it('really scales: to the norm where it was above, all by one factor; not at all where it was below', () => {
    const elements = fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: 1, maxLength: 6 });
    const property = fc.property(fc.record({ w: elements, b: elements }), fc.double({ min: 1e-2, max: 1e3, noNaN: true }), ({ w, b }, norm) => {
      const given = { w: tensor(w, { dtype: 'float64' }), b: tensor(b, { dtype: 'float64' }) };
      const clipped = clipByGlobalNorm(given, { norm });
      const [before, after] = [normOf(given), normOf(clipped)];
      if (before <= norm) expect([clipped.w.toArray(), clipped.b.toArray()]).to.deep.equal([w, b]);
      else {
        expect(after).to.be.closeTo(norm, 1e-12 * norm);
        w.forEach((value, k) => expect((clipped.w.data as Float64Array)[k]).to.be.closeTo((value * norm) / before, 1e-12 * before));
      }
    }); // prettier-ignore
    fc.assert(property, { seed: propertySeed(), numRuns: propertyRuns(50, 1_000, 20_000) });
  });

  it('leaves gradients of 0 alone, and each in its own type', () => {
    const { w, b } = clipByGlobalNorm({ w: tensor([0, 0]), b: tensor(0, { dtype: 'float64' }) }, { norm: 1 });
    expect([w.toArray(), b.toArray(), w.dtype, b.dtype]).to.deep.equal([[0, 0], 0, 'float32', 'float64']);
  });

  it('is made of ops: on symbols it adds nodes, on variables it is recorded', () => {
    const g = graph({ w: input([2]) }, ({ w }) => ({ y: clipByGlobalNorm({ w }, { norm: 1 }).w }));
    expect(evaluateSync(g, { w: [3, 4] }).y.toArray()).to.deep.equal(clipByGlobalNorm({ w: tensor([3, 4]) }, { norm: 1 }).w.toArray()); // prettier-ignore
    const x = variable(tensor([0.3, 0.4]));
    expect(
      backward(sum(mul(clipByValue({ x }, { value: 0.35 }).x, 10)))
        .of(x)
        .toArray(),
    ).to.deep.equal([10, 0]);
  });
});

describe('clipByValue', () => {
  it('holds every element within its bounds, infinities too', () => {
    expect(clipByValue({ w: tensor([-Infinity, -1, 0.5, 7, NaN]) }, { value: 1 }).w.toArray()).to.deep.equal([-1, -1, 0.5, 1, NaN]); // prettier-ignore
  });

  it('refuses bounds that are none, and what are no gradients', () => {
    for (const [act, what] of [
      [() => clipByValue({ w: tensor(1) }, { value: 0 }), /value must be a number above 0; got 0/],
      [() => clipByGlobalNorm({ w: tensor(1) }, { norm: -1 }), /norm must be a number above 0; got -1/],
      [() => clipByGlobalNorm({}, { norm: 1 }), /gradients are tensors by name/],
      [() => clipByValue({ w: 'none' } as never, { value: 1 }), /gradients are tensors by name/],
    ] as const)
      expect(thrownBy(act).message).to.match(what);
  });
});

describe('train with clip', () => {
  const after = async (clip: TrainOptions['clip']) => (await trained(batchesOf(1), { optimizer: optimizers['sgd'], clip }))[0];

  it('takes the step that clipped gradients give, and tells the norm before', async () => {
    const [free, held] = [await after(undefined), await after({ norm: 0.01 })];
    expect(held.gradientNorm).to.equal(free.gradientNorm).and.to.be.greaterThan(0.01);
    const start = (await trained(batchesOf(1), { optimizer: optimizers['sgd'] }))[0];
    expect(start.params['w1'].data).to.deep.equal(free.params['w1'].data);
    // A rate of 0.05: params moved by 0.05 times the norm.
    const moved = (step: typeof free) =>
      Math.hypot(...['w1', 'b1', 'w2'].flatMap((name) => [...(step.params[name].data as Float32Array)].map((value, k) => value - initial[name][k]))); // prettier-ignore
    const initial = Object.fromEntries(
      Object.entries((await trained(batchesOf(1), { optimizer: optimizers['sgd'], clip: { value: 1e-30 } }))[0].params).map(
        ([name, { data }]) => [name, [...(data as Float32Array)]],
      ),
    );
    expect(moved(free)).to.be.closeTo(0.05 * free.gradientNorm, 1e-6);
    expect(moved(held)).to.be.closeTo(0.05 * 0.01, 1e-6);
  });

  it('by value first, then by norm, where both are given; the norm it tells is of neither', async () => {
    const [free, both] = [await after(undefined), await after({ value: 1e-3, norm: 10 })];
    expect(both.gradientNorm).to.equal(free.gradientNorm);
    expect(both.params['w1'].data).to.deep.equal((await after({ value: 1e-3 })).params['w1'].data);
  });
});
