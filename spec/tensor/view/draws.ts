/**
 * @file Random views for property tests: each as the engine makes it, and as copying in a naive model does.
 */
import fc from 'fast-check';
import {
  at,
  ellipsis,
  newaxis,
  range,
  reversed,
  stride,
  wrap,
  broadcastView,
  reshapeOrCopy,
  sliceView,
  squeezeView,
  transposeView,
  unsqueezeView,
  type SliceSpec,
  type Tensor,
} from '../../../src/tensor/index.js';
import { count, gather, places, type Model } from '../model.js';

/** Raw numbers, read against the shape that a view meets; so every draw is a valid view. */
export interface Draw {
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
export const KINDS: Readonly<Record<string, Kind>> = {
  full: (shape, [a]) =>
    shape.length === 0 ? undefined : sliced(mod(a, shape.length), null, (size) => places(size, null, null, 1)),
  range: (shape, [a, start, stop]) =>
    shape.length === 0 ? undefined : sliced(mod(a, shape.length), range(start, stop), (size) => places(size, start, stop, 1)),
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
    return sliced(mod(a, shape.length), from === null && to === null ? stride(by) : range(from, to, by), (size) =>
      places(size, from, to, by),
    );
  },
  reverse: (shape, [a]) =>
    shape.length === 0 ? undefined : sliced(mod(a, shape.length), reversed, (size) => places(size, null, null, -1)),
  newaxis(shape, [a, last]) {
    const axis = mod(a, shape.length + 1);
    const specs = last > 0 ? [ellipsis, newaxis] : specAt(axis, newaxis);
    const place = last > 0 ? shape.length : axis;
    return {
      view: (t) => sliceView(t, ...specs),
      model: (m) => gather(m, inserted(m.shape, place, 1), (index) => without(index, place)),
    };
  },
  transpose(shape, numbers) {
    const perm = shape
      .map((_, axis) => axis)
      .sort((i, j) => mod(numbers[i % 4] * (i + 7), 11) - mod(numbers[j % 4] * (j + 7), 11) || i - j);
    return {
      view: (t) => transposeView(t, perm),
      model: (m) =>
        gather(
          m,
          perm.map((axis) => m.shape[axis]),
          (index) => perm.reduce<number[]>((source, axis, k) => replaced(source, axis, index[k]), [...index]),
        ),
    };
  },
  broadcast(shape, [a, size]) {
    const [ones, n] = [shape.flatMap((length, axis) => (length === 1 ? [axis] : [])), mod(size, 4)];
    if (ones.length === 0)
      return { view: (t) => broadcastView(t, [2, ...shape]), model: (m) => gather(m, [2, ...shape], (index) => index.slice(1)) };
    const axis = ones[mod(a, ones.length)];
    return {
      view: (t) => broadcastView(t, replaced(shape, axis, n)),
      model: (m) => gather(m, replaced(shape, axis, n), (index) => replaced(index, axis, 0)),
    };
  },
  squeeze: (shape) => ({ view: (t) => squeezeView(t), model: (m) => ({ ...m, shape: shape.filter((size) => size !== 1) }) }),
  unsqueeze(shape, [a]) {
    const axis = mod(a, shape.length + 1);
    return { view: (t) => unsqueezeView(t, axis), model: (m) => ({ ...m, shape: inserted(shape, axis, 1) }) };
  },
  reshape(shape, [a]) {
    // Two neighbours become one, or one axis becomes two: both where strides allow it and where they do not.
    const axis = mod(a, Math.max(1, shape.length));
    const target =
      axis + 1 < shape.length
        ? [...shape.slice(0, axis), shape[axis] * shape[axis + 1], ...shape.slice(axis + 2)]
        : shape.length > 0 && shape[axis] % 2 === 0
          ? [...shape.slice(0, axis), 2, shape[axis] / 2]
          : [...shape, 1];
    return { view: (t) => reshapeOrCopy(t, target), model: (m) => ({ ...m, shape: target }) };
  },
};

export const draws = (kinds: readonly string[], lengths: fc.ArrayConstraints): fc.Arbitrary<Draw[]> =>
  fc.array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      numbers: fc.array(fc.integer({ min: -6, max: 6 }), { minLength: 4, maxLength: 4 }),
    }),
    lengths,
  );
export const shapes = fc.array(fc.constantFrom(0, 1, 1, 2, 3, 4, 5), { maxLength: 8 }).filter((shape) => count(shape) <= 400);

export function follow(shape: readonly number[], list: readonly Draw[]): { base: Tensor; view: Tensor; model: Model } {
  const base = wrap(
    Float32Array.from({ length: count(shape) }, (_, i) => i),
    { shape: [...shape] },
  );
  let [view, model]: [Tensor, Model] = [base, { shape, values: [...(base.data as Float32Array)] }];
  for (const { kind, numbers } of list) {
    const step = KINDS[kind](model.shape, numbers);
    if (step === undefined || step.model(model).values.length > 2000) continue;
    [view, model] = [step.view(view), step.model(model)];
  }
  return { base, view, model };
}
