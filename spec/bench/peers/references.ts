/**
 * @file What is right: plain loops in double precision, that share no code with any engine.
 */
type Numbers = ArrayLike<number>;
export type Inputs = Readonly<Record<string, Float32Array>>;

/** [rows, inner] · [inner, columns], row by row. */
export function product(a: Numbers, b: Numbers, rows: number, columns: number, inner: number): Float64Array {
  const sums = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++) {
    const to = i * columns;
    for (let k = 0; k < inner; k++) {
      const factor = a[i * inner + k];
      const from = k * columns;
      if (factor !== 0) for (let j = 0; j < columns; j++) sums[to + j] += factor * b[from + j];
    }
  }
  return sums;
}

/** Each row of `columns` numbers to its softmax. */
export function softmaxRows(values: Numbers, columns: number): Float64Array {
  const result = Float64Array.from(values);
  for (let from = 0; from < result.length; from += columns) {
    const row = result.subarray(from, from + columns);
    const largest = row.reduce((x, y) => Math.max(x, y));
    let total = 0;
    for (let j = 0; j < columns; j++) total += row[j] = Math.exp(row[j] - largest);
    for (let j = 0; j < columns; j++) row[j] /= total;
  }
  return result;
}

/** Scores of 32 heads: each q row with each k row, 128 rows of 64. */
export function scores({ q, k }: Inputs): Float64Array {
  const result = new Float64Array(32 * 128 * 128);
  for (let head = 0; head < 32; head++)
    for (let i = 0; i < 128; i++)
      for (let j = 0; j < 128; j++) {
        let sum = 0;
        for (let e = 0; e < 64; e++) sum += q[(head * 128 + i) * 64 + e] * k[(head * 128 + j) * 64 + e];
        result[(head * 128 + i) * 128 + j] = sum;
      }
  return result;
}

/** ijk,jl,kl->il with every index 64. */
export function threeOperands({ a, b, c }: Inputs): Float64Array {
  const n = 64;
  const pairs = new Float64Array(n * n * n);
  for (let j = 0; j < n; j++)
    for (let k = 0; k < n; k++) for (let l = 0; l < n; l++) pairs[(j * n + k) * n + l] = b[j * n + l] * c[k * n + l];
  return product(a, pairs, n, n, n * n);
}

export const chain = ({ x }: Inputs): Float64Array =>
  Float64Array.from(x, (value) => {
    const logistic = 1 / (1 + Math.exp(-(value * 1.5 + 0.25)));
    return Math.min(Math.exp(Math.max(Math.tanh(logistic), 0)), 2) + 0.5;
  });

/** Sums of a square matrix: `'down'` its columns (axis 0), `'across'` its rows (axis 1). */
export function sums(values: Numbers, size: number, direction: 'down' | 'across'): Float64Array {
  const result = new Float64Array(size);
  for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) result[direction === 'down' ? j : i] += values[i * size + j];
  return result;
}

/** ijk->kji of a cube. */
export function reversedAxes(values: Numbers, size: number): Float32Array {
  const result = new Float32Array(size ** 3);
  for (let i = 0; i < size; i++)
    for (let j = 0; j < size; j++)
      for (let k = 0; k < size; k++) result[(k * size + j) * size + i] = values[(i * size + j) * size + k];
  return result;
}

export const shifted = (values: Float64Array, bias: Numbers): Float64Array =>
  values.map((value, i) => value + bias[i % bias.length]);
export const positive = (values: Float64Array): Float64Array => values.map((value) => Math.max(value, 0));

/** 784 → 256 → 128 → 10 for `batch` rows, relu between, softmax last. */
export function perceptron({ x, w1, b1, w2, b2, w3, b3 }: Inputs, batch: number): Float64Array {
  const first = positive(shifted(product(x, w1, batch, 256, 784), b1));
  const second = positive(shifted(product(first, w2, batch, 128, 256), b2));
  return softmaxRows(shifted(product(second, w3, batch, 10, 128), b3), 10);
}

/** Three times multiply, add, relu; then one more addition. */
export const tinyChain = ({ x, a, b }: Inputs): Float64Array =>
  Float64Array.from(x, (first, i) => {
    let y = first;
    for (let round = 0; round < 3; round++) y = Math.max(y * a[i] + b[i], 0);
    return y + a[i];
  });

/** Eight times R = max(R, min(1, R·R)). */
export function closure({ r }: Inputs, size: number): Float64Array {
  let reached = Float64Array.from(r);
  for (let round = 0; round < 8; round++) {
    const further = product(reached, reached, size, size, size);
    reached = reached.map((value, i) => Math.max(value, Math.min(1, further[i])));
  }
  return reached;
}
