/**
 * @file What the model learns from: batches of images, moved a little, so that it does not mind where a digit lies.
 */
import type { Tensor } from '../../../src/index.js';
import { moved, oneHot, stacked, type Labelled } from './images.js';

export interface Batch extends Readonly<Record<string, Tensor>> {
  /** Float32 [n, PIXELS]. */
  readonly x: Tensor;
  /** Float32 [n, 10]. */
  readonly t: Tensor;
}

const SIZE = 40;
/** Pixels, at most, that an image is moved by. */
const FAR = 2;

type Random = () => number;

const within = (next: Random, most: number): number => Math.floor(next() * most);
const nudged = ({ image }: Labelled, next: Random) => {
  const by = (): number => within(next, 2 * FAR + 1) - FAR;
  return moved(image, by(), by());
};

const batchOf = (rows: readonly Labelled[], next: Random): Batch => ({
  x: stacked(rows.map((row) => nudged(row, next))),
  t: oneHot(rows.map(({ label }) => label)),
});

/** Batches of a course. */
export const courseSteps = (images: number, times: number): number => Math.floor(images / SIZE) * times;

/** All images, so many times, in a new order each time. */
export function* course(images: readonly Labelled[], times: number, next: Random): Generator<Batch> {
  for (let time = 0; time < times; time++) {
    const order = [...images];
    for (let k = order.length - 1; k > 0; k--) {
      const other = within(next, k + 1);
      [order[k], order[other]] = [order[other], order[k]];
    }
    for (let from = 0; from + SIZE <= order.length; from += SIZE) yield batchOf(order.slice(from, from + SIZE), next);
  }
}

/** Steps of one lesson. */
export const LESSON = 40;
/** Of a batch of a lesson: the newest drawing, and any that the visitor made. */
const [NEWEST, TAUGHT] = [1, 1];

/**
 * One lesson about what the visitor drew: in each batch are the newest drawing and any of the visitor's; the rest is
 * of what was learned before, so that it is not forgotten.
 */
export function* lesson(taught: readonly Labelled[], images: readonly Labelled[], next: Random): Generator<Batch> {
  const newest = taught.at(-1)!;
  for (let step = 0; step < LESSON; step++) {
    const rows = Array.from({ length: SIZE }, (_, k) => {
      if (k < NEWEST) return newest;
      if (k < NEWEST + TAUGHT) return taught[within(next, taught.length)];
      return images[within(next, images.length)];
    });
    yield batchOf(rows, next);
  }
}
