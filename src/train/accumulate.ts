/**
 * @file Gradients of several batches as those of one: their mean, as a stream.
 */
import { concatMap, defer, endWith, type MonoTypeOperatorFunction } from 'rxjs';
import { describeValue, fault } from '../errors/index.js';
import { add, mul } from '../ops/binary/index.js';
import { isFloating } from '../tensor/dtype.js';
import { formatShape, sameShape } from '../tensor/shape.js';
import { Tensor } from '../tensor/tensor.js';

type Gradients = Readonly<Record<string, Tensor>>;

/**
 * The mean of every `count` records of gradients, name by name; what is left at the end is averaged too. For losses that are means over
 * batches of equal size it is the gradient of one batch of `count` times the size. Holds one record.
 *
 * ```ts
 * const gradients$ = of({ w: tensor([1, 2]) }, { w: tensor([3, 6]) }, { w: tensor([5, 5]) });
 * gradients$.pipe(accumulate(2), map(({ w }) => w.toArray())) // => [[2, 4], [5, 5]]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for a count that is no integer ≥ 1, at the call; on the stream E_SHAPE or E_DTYPE for gradients
 *   that do not fit those before them, or are no floating-point numbers
 */
export function accumulate<T extends Gradients>(count: number): MonoTypeOperatorFunction<T> {
  if (!Number.isSafeInteger(count) || count < 1)
    throw fault('E_ARGUMENT', { place: 'accumulate', rule: 'count must be an integer ≥ 1', actual: describeValue(count) });
  return (gradients$) =>
    defer(() => {
      let total: Gradients | undefined;
      let held = 0;
      return gradients$.pipe(
        endWith(undefined),
        concatMap((each: Gradients | undefined): readonly T[] => {
          if (each !== undefined) {
            total = total === undefined ? checked(each) : added(total, each);
            held++;
          }
          if (total === undefined || (each !== undefined && held < count)) return [];
          const mean = mapped(total, (gradient) => mul(gradient, 1 / held));
          total = undefined;
          held = 0;
          return [mean as T];
        }),
      );
    });
}

const mapped = (gradients: Gradients, by: (gradient: Tensor, name: string) => Tensor): Gradients =>
  Object.freeze(Object.fromEntries(Object.entries(gradients).map(([name, each]) => [name, by(each, name)])));

function checked(gradients: Gradients): Gradients {
  return mapped(gradients, (gradient, name) => {
    if (gradient instanceof Tensor && isFloating(gradient.dtype)) return gradient;
    throw fault('E_DTYPE', {
      place: name,
      rule: 'gradients are floating-point tensors',
      expected: 'float32 or float64',
      actual: gradient instanceof Tensor ? gradient.dtype : describeValue(gradient),
    });
  });
}

function added(total: Gradients, each: Gradients): Gradients {
  const names = Object.keys(each);
  if (names.length !== Object.keys(total).length) throw other(total, names);
  return mapped(total, (before, name) => {
    const own = Object.hasOwn(each, name) ? each[name] : undefined;
    if (own === undefined) throw other(total, names);
    if (own.dtype === before.dtype && sameShape(own.shape, before.shape)) return add(before, own);
    throw fault('E_SHAPE', {
      place: name,
      rule: 'gradients that add must be alike',
      expected: `${before.dtype} ${formatShape(before.shape)}`,
      actual: `${own.dtype} ${formatShape(own.shape)}`,
    });
  });
}

const other = (total: Gradients, names: readonly string[]) =>
  fault('E_SHAPE', {
    place: 'accumulate',
    rule: 'gradients that add must have the same names',
    expected: Object.keys(total).join(', '),
    actual: names.join(', ') || 'none',
  });
