import { expect } from 'chai';
import fc from 'fast-check';
import { arange, at, ellipsis, newaxis, range, reshapeLayout, reversed, stride, tensor, wrap, type SliceSpec, type Tensor } from '../../../src/tensor/index.js';
import { broadcastView, reshapeOrCopy, reshapeView, sliceView, squeezeView, transposeView, unsqueezeView } from '../../../src/tensor/index.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { addresses, count, gather, places, type Model } from '../model.js';

/** Raw numbers, read against the shape that a view meets; so every draw is a valid view. */
interface Draw {
  readonly kind: string;
  readonly numbers: readonly number[];
}

interface Step {
  readonly view: (t: Tensor) => Tensor;
  readonly model: (m: Model) => Model;
}

const mod = (value: number, n: number): number => ((value % n) + n) % n;
const without = <T>(list: readonly T[], at: number): T[] => list.filter((_, i) => i !== at);
const inserted = <T>(list: readonly T[], at: number, item: T): T[] => [...list.slice(0, at), item, ...list.slice(at)];
const replaced = <T>(list: readonly T[], at: number, item: T): T[] => list.map((old, i) => (i === at ? item : old));
/** Null for the other axes before, nothing after: the rest stays whole. */
const specAt = (axis: number, spec: SliceSpec): SliceSpec[] => [...new Array<null>(axis).fill(null), spec];

const sliced = (axis: number, spec: SliceSpec, pick: (size: number) => readonly number[]): Step => ({
  view: (t) => sliceView(t, ...specAt(axis, spec)),
  model: (m) => {
    const taken = pick(m.shape[axis]);
    return gather(m, replaced(m.shape, axis, taken.length), (index) => replaced(index, axis, taken[index[axis]]));
  },
});

type Kind = (shape: readonly number[], numbers: readonly number[]) => Step | undefined;

/** The five kinds of the seed's slices, and every other view. Undefined where a shape has no such view. */
const KINDS: Readonly<Record<string, Kind>> = {
  full: (shape, [a]) => (shape.length === 0 ? undefined : sliced(mod(a, shape.length), null, (size) => places(size, null, null, 1))),
  range: (shape, [a, start, stop]) => (shape.length === 0 ? undefined : sliced(mod(a, shape.length), range(start, stop), (size) => places(size, start, stop, 1))),
  index(shape, [a, i]) {
    const axis = mod(a, Math.max(1, shape.length));
    if (!(shape[axis] > 0)) return undefined;
    const place = mod(i, shape[axis]);
    return {
      view: (t) => sliceView(t, ...specAt(axis, at(i < 0 ? place - shape[axis] : place))),
      model: (m) => gather(m, without(m.shape, axis), (index) => inserted(index, axis, place)),
    };
  },
  strided(shape, [a, start, stop, step]) {
    if (shape.length === 0) return undefined;
    const [from, to, by] = [start % 3 === 0 ? null : start, stop % 3 === 0 ? null : stop, step === 0 ? 2 : step];
    return sliced(mod(a, shape.length), from === null && to === null ? stride(by) : range(from, to, by), (size) => places(size, from, to, by));
  },
  reverse: (shape, [a]) => (shape.length === 0 ? undefined : sliced(mod(a, shape.length), reversed, (size) => places(size, null, null, -1))),
  newaxis(shape, [a, last]) {
    const axis = mod(a, shape.length + 1);
    const specs = last > 0 ? [ellipsis, newaxis] : specAt(axis, newaxis);
    const place = last > 0 ? shape.length : axis;
    return { view: (t) => sliceView(t, ...specs), model: (m) => gather(m, inserted(m.shape, place, 1), (index) => without(index, place)) };
  },
  transpose(shape, numbers) {
    const perm = shape.map((_, axis) => axis).sort((i, j) => mod(numbers[i % 4] * (i + 7), 11) - mod(numbers[j % 4] * (j + 7), 11) || i - j);
    return { view: (t) => transposeView(t, perm), model: (m) => gather(m, perm.map((axis) => m.shape[axis]), (index) => perm.reduce<number[]>((source, axis, k) => replaced(source, axis, index[k]), [...index])) };
  },
  broadcast(shape, [a, size]) {
    const [ones, n] = [shape.flatMap((length, axis) => (length === 1 ? [axis] : [])), mod(size, 4)];
    if (ones.length === 0) return { view: (t) => broadcastView(t, [2, ...shape]), model: (m) => gather(m, [2, ...shape], (index) => index.slice(1)) };
    const axis = ones[mod(a, ones.length)];
    return { view: (t) => broadcastView(t, replaced(shape, axis, n)), model: (m) => gather(m, replaced(shape, axis, n), (index) => replaced(index, axis, 0)) };
  },
  squeeze: (shape) => ({ view: (t) => squeezeView(t), model: (m) => ({ ...m, shape: shape.filter((size) => size !== 1) }) }),
  unsqueeze(shape, [a]) {
    const axis = mod(a, shape.length + 1);
    return { view: (t) => unsqueezeView(t, axis), model: (m) => ({ ...m, shape: inserted(shape, axis, 1) }) };
  },
  reshape(shape, [a]) {
    // Two neighbours become one, or one axis becomes two: both where strides allow it and where they do not.
    const axis = mod(a, Math.max(1, shape.length));
    const target = axis + 1 < shape.length ? [...shape.slice(0, axis), shape[axis] * shape[axis + 1], ...shape.slice(axis + 2)] : shape.length > 0 && shape[axis] % 2 === 0 ? [...shape.slice(0, axis), 2, shape[axis] / 2] : [...shape, 1];
    return { view: (t) => reshapeOrCopy(t, target), model: (m) => ({ ...m, shape: target }) };
  },
};

const draws = (kinds: readonly string[], lengths: fc.ArrayConstraints): fc.Arbitrary<Draw[]> =>
  fc.array(fc.record({ kind: fc.constantFrom(...kinds), numbers: fc.array(fc.integer({ min: -6, max: 6 }), { minLength: 4, maxLength: 4 }) }), lengths);
const shapes = fc.array(fc.constantFrom(0, 1, 1, 2, 3, 4, 5), { maxLength: 8 }).filter((shape) => count(shape) <= 400);

function follow(shape: readonly number[], list: readonly Draw[]): { base: Tensor; view: Tensor; model: Model } {
  const base = wrap(Float32Array.from({ length: count(shape) }, (_, i) => i), { shape: [...shape] });
  let [view, model]: [Tensor, Model] = [base, { shape, values: [...(base.data as Float32Array)] }];
  for (const { kind, numbers } of list) {
    const step = KINDS[kind](model.shape, numbers);
    if (step === undefined || step.model(model).values.length > 2000) continue;
    [view, model] = [step.view(view), step.model(model)];
  }
  return { base, view, model };
}

const check = <T>(property: fc.IPropertyWithHooks<T>, runs = propertyRuns(2_000, 10_000, 100_000)): void => fc.assert(property, { seed: propertySeed(), numRuns: runs });

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
        const seeds = fc.tuple(draws([first], { minLength: 1, maxLength: 1 }), draws([second], { minLength: 1, maxLength: 1 })).map((pair) => pair.flat());
        check(
          fc.property(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })), seeds, ([m, n], list) => {
            const { view, model } = follow([m, n], list);
            expect({ shape: view.shape, values: [...(view.data as Float32Array)] }).to.deep.equal(model);
          }),
          propertyRuns(100, 1_000, 10_000),
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
    const base = tensor([[1, 2], [3, 4]]);
    const view = transposeView(base);
    base.data[1] = 20;
    expect(view.toArray()).to.deep.equal([[1, 3], [20, 4]]);
    sliceView(base, at(0)).data[0] = 10;
    expect(view.toArray()).to.deep.equal([[10, 3], [20, 4]]);
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
