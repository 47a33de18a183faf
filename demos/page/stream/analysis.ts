/**
 * @file The graph of the live stream: smooth, compare, judge.
 *
 * A kernel is a row of weights on the samples before; one row for each moment makes a matrix, and moving the kernel along the
 * signal is an einsum with it. Nothing looks ahead, so that the newest sample is judged as it comes.
 */
import {
  add,
  div,
  einsum,
  graph,
  input,
  param,
  range,
  slice,
  sqrt,
  square,
  sub,
  tensor,
  type Tensor,
} from '../../../src/index.js';

/** Moments that are shown. */
export const SHOWN = 240;
/** Samples that the smoothed value is made of. */
export const SMOOTHED = 32;
/** Deviations that the variance is made of: those before the one that is judged. */
export const COMPARED = 64;
/** Samples that a feed has. */
export const SAMPLES = SHOWN + COMPARED + SMOOTHED - 1;

/** Smooths where a sample must not be called an anomaly for noise alone. */
const FLOOR = 1e-6;

/** Float32 [rows, rows + weights − 1]: in each row the weights, one column further on. */
function moving(weights: readonly number[], rows: number): Tensor {
  const columns = rows + weights.length - 1;
  const matrix = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row++) matrix.set(weights, row * (columns + 1));
  return tensor(matrix, { shape: [rows, columns] });
}

/** Weights that sum to 1. */
function weights(count: number, weigh: (lag: number) => number): readonly number[] {
  const all = Array.from({ length: count }, (_, k) => weigh(count - 1 - k));
  const total = all.reduce((sum, weight) => sum + weight, 0);
  return all.map((weight) => weight / total);
}

const kernel = weights(SMOOTHED, (lag) => Math.exp(-((lag / (SMOOTHED / 2)) ** 2)));
const recent = weights(COMPARED, (lag) => Math.exp(-lag / (COMPARED / 2)));

const declarations = {
  samples: input([SAMPLES]),
  kernel: param(moving(kernel, SHOWN + COMPARED)),
  recent: param(moving(recent, SHOWN)),
};

/** From float32 [SAMPLES] to `smooth`, `deviation` (σ) and `score` (z) of the latest SHOWN samples. */
export const analysis = graph(declarations, ({ samples, kernel, recent }) => {
  const smooth = einsum('ts,s->t', kernel, samples);
  const residual = sub(slice(samples, range(SMOOTHED - 1, null)), smooth);
  const before = slice(residual, range(null, -1));
  const variance = einsum('ts,s->t', recent, square(before));
  const deviation = sqrt(add(variance, FLOOR));
  const now = range(COMPARED, null);
  return { smooth: slice(smooth, now), deviation, score: div(slice(residual, now), deviation) };
});

export type Analysis = typeof analysis;
