/**
 * @file Where training starts: weights that a seed decides, small enough that signals keep their size (He et al., 2015).
 */
import { tensor, zeros, type Tensor } from '../../src/index.js';
import { SHAPES, type Weights } from './model.js';

/** All of it from one seed; biases are 0. */
export function startingWeights(seed: number): Weights {
  const next = uniform(seed);
  return {
    w1: startingLayer(SHAPES.w1, next),
    b1: zeros([...SHAPES.b1]),
    w2: startingLayer(SHAPES.w2, next),
    b2: zeros([...SHAPES.b2]),
  };
}

/** [inputs, outputs], uniform in ±√(6 / inputs). */
export function startingLayer([inputs, outputs]: readonly [number, number], next: () => number): Tensor {
  const most = Math.sqrt(6 / inputs);
  return tensor(
    Float32Array.from({ length: inputs * outputs }, () => (2 * next() - 1) * most),
    { shape: [inputs, outputs] },
  );
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function uniform(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
