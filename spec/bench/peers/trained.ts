/**
 * @file Training, in double precision: 784 → 256 → 128 → 10 with relu between, softmax cross-entropy, plain gradient descent.
 */
import { positive, product, shifted, softmaxRows, type Inputs } from './references.js';

type Numbers = ArrayLike<number>;

export const RATE = 0.1;
/** Steps that are compared: by then the weights have moved by many times the tolerance. */
export const CHECKED_STEPS = 5;
/** What learns, in the order in which engines take it. */
export const LEARNED = ['w1', 'b1', 'w2', 'b2', 'w3', 'b3'] as const;

/** The second layer's weights after `CHECKED_STEPS` on one batch. */
export function trained({ x, y, ...start }: Inputs, batch: number): Float64Array {
  let [w1, b1, w2, b2, w3, b3] = LEARNED.map((name): Float64Array => Float64Array.from(start[name]));
  for (let step = 0; step < CHECKED_STEPS; step++) {
    const first = positive(shifted(product(x, w1, batch, 256, 784), b1));
    const second = positive(shifted(product(first, w2, batch, 128, 256), b2));
    const chances = softmaxRows(shifted(product(second, w3, batch, 10, 128), b3), 10);
    const d3 = chances.map((chance, i) => (chance - y[i]) / batch);
    const d2 = where(second, product(d3, transposed(w3, 128, 10), batch, 128, 10));
    const d1 = where(first, product(d2, transposed(w2, 256, 128), batch, 256, 128));
    w3 = moved(w3, product(transposed(second, batch, 128), d3, 128, 10, batch));
    b3 = moved(b3, columnSums(d3, 10));
    w2 = moved(w2, product(transposed(first, batch, 256), d2, 256, 128, batch));
    b2 = moved(b2, columnSums(d2, 128));
    w1 = moved(w1, product(transposed(x, batch, 784), d1, 784, 256, batch));
    b1 = moved(b1, columnSums(d1, 256));
  }
  return w2;
}

const moved = (values: Float64Array, slopes: Numbers): Float64Array => values.map((value, i) => value - RATE * slopes[i]);

const where = (values: Float64Array, slopes: Float64Array): Float64Array => slopes.map((slope, i) => (values[i] > 0 ? slope : 0));

function transposed(values: Numbers, rows: number, columns: number): Float64Array {
  const result = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) result[j * rows + i] = values[i * columns + j];
  return result;
}

function columnSums(values: Float64Array, columns: number): Float64Array {
  const result = new Float64Array(columns);
  values.forEach((value, i) => (result[i % columns] += value));
  return result;
}
