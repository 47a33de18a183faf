/**
 * @file Digits moved by up to a pixel each way: a stream of batches that never shows the same picture often.
 */
import { map, type MonoTypeOperatorFunction } from 'rxjs';
import { tensor, type Tensor } from '../../src/index.js';
import { PIXELS, SIDE } from './model.js';
import { uniform } from './weights.js';

type Batch = Readonly<Record<'x' | 't', Tensor>>;

/** Where each image of a batch goes depends on `seed` and the batch's number alone; the first is `from`. */
export const shifted = (seed: number, from: number): MonoTypeOperatorFunction<Batch> =>
  map(({ x, t }, index) => {
    const next = uniform(seed + 7919 * (from + index));
    const step = (): number => Math.floor(3 * next()) - 1;
    const moved = new Float32Array(x.size);
    for (let at = 0; at < x.size; at += PIXELS) {
      // Edges are paper: in the row of all pixels a shift of the image is one of the row.
      const by = SIDE * step() + step();
      const image = x.data.subarray(at + Math.max(0, -by), at + PIXELS - Math.max(0, by));
      moved.set(image as Float32Array, at + Math.max(0, by));
    }
    return { x: tensor(moved, { shape: x.shape }), t };
  });
