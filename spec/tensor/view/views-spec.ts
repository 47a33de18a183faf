import { expect } from 'chai';
import fc from 'fast-check';
import {
  arange,
  at,
  range,
  reshapeLayout,
  reversed,
  stride,
  tensor,
  wrap,
  reshapeView,
  sliceView,
  transposeView,
  type Tensor,
} from '../../../src/tensor/index.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { addresses, count } from '../model.js';
import { draws, follow, KINDS, shapes } from './draws.js';

const check = <T>(property: fc.IPropertyWithHooks<T>, runs = propertyRuns(500, 10_000, 100_000)): void =>
  fc.assert(property, { seed: propertySeed(), numRuns: runs });

describe('views', function () {
  this.timeout(600_000);

  it('of views, of any kinds and number, are what copying would give (F098, F100, N9)', () => {
    check(
      fc.property(shapes, draws(Object.keys(KINDS), { minLength: 1, maxLength: 4 }), (shape, list) => {
        const { view, model } = follow(shape, list);
        expect(view.shape).to.deep.equal(model.shape);
        expect([...(view.data as Float32Array)]).to.deep.equal(model.values);
        expect(view.size).to.equal(model.values.length);
      }),
    );
  });

  it('hold the places in the buffer that strides and offset say, inside it, and know when those lie in a row (F097)', () => {
    const kinds = Object.keys(KINDS).filter((kind) => kind !== 'reshape'); // which may copy
    check(
      fc.property(shapes, draws(kinds, { maxLength: 3 }), (shape, list) => {
        const { base, view, model } = follow(shape, list);
        const places = addresses(view);
        expect(view.buffer).to.equal(base.buffer);
        expect(places).to.deep.equal(model.values); // element i of the base is i
        expect(view.isContiguous).to.equal(places.length <= 1 || places.every((place, i) => place === places[0] + i));
      }),
    );
  });

  it('are shaped anew without a copy exactly where some strides would do (F101)', () => {
    check(
      fc.property(shapes, draws(Object.keys(KINDS), { maxLength: 3 }), fc.nat(5), (shape, list, cut) => {
        const { view, model } = follow(shape, list);
        const target = [...model.shape.slice(0, cut), count(model.shape.slice(cut))];
        const layout = reshapeLayout(view, target);
        // Axis `cut` of the target merges the others: an even run of addresses is what strides can say.
        const inner = addresses(sliceView(view, ...model.shape.slice(0, cut).map((size) => (size > 0 ? at(0) : null))));
        const isEven = inner.every((place, i) => i < 2 || place - inner[i - 1] === inner[1] - inner[0]);
        if (model.values.length > 0) expect(layout !== undefined).to.equal(isEven);
        if (layout !== undefined) expect([...(reshapeView(view, target).data as Float32Array)]).to.deep.equal(model.values);
      }),
    );
  });

  const FIVE = ['full', 'range', 'index', 'strided', 'reverse'];
  for (const first of FIVE) {
    for (const second of FIVE) {
      it(`${first}, then ${second}, equal both in sequence (F100)`, () => {
        const seeds = fc
          .tuple(draws([first], { minLength: 1, maxLength: 1 }), draws([second], { minLength: 1, maxLength: 1 }))
          .map((pair) => pair.flat());
        check(
          fc.property(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })), seeds, ([m, n], list) => {
            const { view, model } = follow([m, n], list);
            expect({ shape: view.shape, values: [...(view.data as Float32Array)] }).to.deep.equal(model);
          }),
          propertyRuns(30, 1_000, 10_000),
        );
      });
    }
  }

  it('of one slice or of two are the same: ranges compose and associate (F100, E18)', () => {
    const x = arange(100);
    const direct = sliceView(x, range(22, 70, 6));
    const nested = sliceView(sliceView(x, range(10, 90, 2)), range(6, 30, 3));
    expect(nested.toArray()).to.deep.equal(direct.toArray());
    expect([nested.offset, nested.strides]).to.deep.equal([direct.offset, direct.strides]);
    const [f, g, h] = [range(1, null), stride(2), reversed];
    const left = sliceView(sliceView(sliceView(x, f), g), h);
    const right = ((t: Tensor) => sliceView(sliceView(t, g), h))(sliceView(x, f));
    expect(left.toArray()).to.deep.equal(right.toArray());
  });

  it('see what is written through the base, and the base what is written through them (F097)', () => {
    const base = tensor([
      [1, 2],
      [3, 4],
    ]);
    const view = transposeView(base);
    base.data[1] = 20;
    expect(view.toArray()).to.deep.equal([
      [1, 3],
      [20, 4],
    ]);
    sliceView(base, at(0)).data[0] = 10;
    expect(view.toArray()).to.deep.equal([
      [10, 3],
      [20, 4],
    ]);
  });

  it('of a large tensor copy no bytes (E16)', () => {
    const base = wrap(new Float32Array(4_000_000), { shape: [2000, 2000] });
    const before = process.memoryUsage().arrayBuffers;
    const view = transposeView(sliceView(base, range(500, 1500), reversed));
    expect(view.buffer.array).to.equal(base.buffer.array);
    expect(view.rank).to.equal(2);
    expect(view.isContiguous).to.equal(false);
    expect(sliceView(base, range(500, 1500)).isContiguous).to.equal(true);
    expect(process.memoryUsage().arrayBuffers - before).to.be.lessThan(100_000);
  });

  it('can be of every kind on one tensor: full, range, index, strided, reversed (E19)', () => {
    const x = reshapeView(arange(24), [2, 3, 4]);
    expect(sliceView(x, null).toArray()).to.deep.equal(x.toArray());
    expect(sliceView(x, null, null, range(1, 3)).shape).to.deep.equal([2, 3, 2]);
    expect(sliceView(x, at(1), at(2)).toArray()).to.deep.equal([20, 21, 22, 23]);
    expect(sliceView(x, at(0), at(0), range(0, 4, 2)).toArray()).to.deep.equal([0, 2]);
    expect(sliceView(x, at(0), reversed, at(0)).toArray()).to.deep.equal([8, 4, 0]);
  });
});
