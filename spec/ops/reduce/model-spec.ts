/** @file Reductions against a model that groups elements by index and knows nothing of strides or folds. */
import { expect } from 'chai';
import fc from 'fast-check';
import { ops } from '../../../src/ops/registry.js';
import type { Tensor } from '../../../src/tensor/tensor.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { anyTensor, elementAt, indicesOf, someAxes } from '../anyTensor.js';

type Model = (group: readonly number[]) => number;

const sum: Model = (group) => group.reduce((total, x) => total + x, 0);
const meanOf: Model = (group) => sum(group) / group.length;
const variance: Model = (group) => sum(group.map((x) => (x - meanOf(group)) ** 2)) / group.length;
const best: Model = (group) => (group.some(Number.isNaN) ? NaN : Math.max(...group));
const worst: Model = (group) => (group.some(Number.isNaN) ? NaN : Math.min(...group));
const truths = (group: readonly number[]): readonly boolean[] => group.map((x) => x !== 0);

const MODELS: Readonly<Record<string, Model>> = {
  sum,
  mean: meanOf,
  prod: (group) => group.reduce((total, x) => total * x, 1),
  sumsq: (group) => sum(group.map((x) => x * x)),
  l2norm: (group) => Math.sqrt(sum(group.map((x) => x * x))),
  var: variance,
  std: (group) => Math.sqrt(variance(group)),
  logsumexp: (group) => {
    const peak = best(group);
    return Number.isFinite(peak) ? peak + Math.log(sum(group.map((x) => Math.exp(x - peak)))) : peak;
  },
  any: (group) => Number(truths(group).includes(true)),
  all: (group) => Number(!truths(group).includes(false)),
  count: (group) => truths(group).filter(Boolean).length,
  max: best,
  min: worst,
  argmax: (group) => group.findIndex((x) => Object.is(x, best(group)) || x === best(group)),
  argmin: (group) => group.findIndex((x) => Object.is(x, worst(group)) || x === worst(group)),
};

const NEEDS_ELEMENTS = ['max', 'min', 'argmax', 'argmin'];

function modelOf(
  x: Tensor,
  folded: readonly number[],
  keepdims: boolean,
  model: Model,
): { shape: readonly number[]; data: readonly number[] } {
  const kept = x.shape.map((_, axis) => axis).filter((axis) => !folded.includes(axis));
  const sizes = (axes: readonly number[]) => axes.map((axis) => x.shape[axis]);
  const groups = indicesOf(sizes(kept)).map((outer) =>
    indicesOf(sizes(folded)).map((inner) =>
      elementAt(
        x,
        x.shape.map((_, axis) => (folded.includes(axis) ? inner[folded.indexOf(axis)] : outer[kept.indexOf(axis)])),
      ),
    ),
  );
  return {
    shape: keepdims ? x.shape.map((size, axis) => (folded.includes(axis) ? 1 : size)) : sizes(kept),
    data: groups.map(model),
  };
}

const anyReduction = anyTensor().chain((x) =>
  fc.record({ x: fc.constant(x), axis: fc.option(someAxes(x.rank)), keepdims: fc.boolean() }),
);

describe('a reduction', () => {
  for (const [name, model] of Object.entries(MODELS)) {
    it(`${name} folds any axes, in any order, counted from either end, of any layout (F145, N9)`, () => {
      fc.assert(
        fc.property(anyReduction, ({ x, axis, keepdims }) => {
          const folded = (axis ?? x.shape.map((_, k) => k)).map((k) => (k < 0 ? k + x.rank : k)).sort((a, b) => a - b);
          fc.pre(!NEEDS_ELEMENTS.includes(name) || folded.every((k) => x.shape[k] > 0));
          const got = ops[name](x, { axis, keepdims }) as Tensor;
          const want = modelOf(x, folded, keepdims, model);
          expect(got.shape).to.deep.equal(want.shape);
          want.data.forEach((value, i) => {
            if (Number.isFinite(value)) expect(Number(got.data[i])).to.be.closeTo(value, 1e-9 * (1 + Math.abs(value)));
            else expect(Number(got.data[i])).to.deep.equal(value);
          });
        }),
        { seed: propertySeed(), numRuns: propertyRuns(100, 1000, 20_000) },
      );
    });
  }
});
