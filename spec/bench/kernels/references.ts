/**
 * @file What the workloads should give: plain loops in float64, for the elements that are looked at.
 */
type At = (position: number) => number;

/** [m, k] times [k, n]. */
export function product(a: ArrayLike<number>, b: ArrayLike<number>, k: number, n: number): At {
  return (at) => {
    const row = Math.floor(at / n) * k;
    let total = 0;
    for (let p = 0; p < k; p++) total += a[row + p] * b[p * n + (at % n)];
    return total;
  };
}

const all = (count: number, at: At): Float64Array => Float64Array.from({ length: count }, (_, k) => at(k));

/** The sum of `count` elements `step` apart, of which line `at` begins at `at`·`line`. */
export const lineSum =
  (x: ArrayLike<number>, lines: number, line: number, count: number, step: number): At =>
  (at) => {
    let total = 0;
    for (let k = 0; k < count; k++) total += x[(at % lines) * line + k * step];
    return total;
  };

/** bhqd,bhkd->bhqk for [32, 128, 64]. */
export const attention =
  (q: Float32Array, k: Float32Array): At =>
  (at) => {
    const [rest, column] = [Math.floor(at / 128), at % 128];
    const batch = Math.floor(rest / 128);
    let total = 0;
    for (let d = 0; d < 64; d++) total += q[rest * 64 + d] * k[(batch * 128 + column) * 64 + d];
    return total;
  };

/** ijk,jl,kl->il for sides of 64. */
export const threeWay =
  (a: Float32Array, b: Float32Array, c: Float32Array): At =>
  (at) => {
    const [i, l] = [at >> 6, at & 63];
    let total = 0;
    for (let j = 0; j < 64; j++)
      for (let k = 0; k < 64; k++) total += a[(i << 12) + (j << 6) + k] * b[(j << 6) + l] * c[(k << 6) + l];
    return total;
  };

/** xy,yz,zw->xw for sides of 256. */
export function chained(a: Float32Array, b: Float32Array, c: Float32Array): At {
  return product(all(65536, product(a, b, 256, 256)), c, 256, 256);
}

export const softmaxRows =
  (x: ArrayLike<number>, length: number): At =>
  (at) => {
    const row = Array.from({ length }, (_, k) => x[at - (at % length) + k]);
    const largest = Math.max(...row);
    return Math.exp(x[at] - largest) / row.reduce((total, value) => total + Math.exp(value - largest), 0);
  };

export function perceptron(feeds: Readonly<Record<string, Float32Array>>, batch: number): At {
  const layer = (x: ArrayLike<number>, index: number, k: number, n: number): Float64Array => {
    const at = product(x, feeds[`w${index}`], k, n);
    return all(batch * n, (position) => at(position) + feeds[`b${index}`][position % n]);
  };
  const positive = (x: Float64Array): Float64Array => x.map((value) => Math.max(value, 0));
  const first = positive(layer(feeds.x, 1, 784, 256));
  const second = positive(layer(first, 2, 256, 128));
  return softmaxRows(layer(second, 3, 128, 10), 10);
}

/** `steps` times r = max(r, min(1, r·r)) of a matrix of zeros and ones. */
export function reachable(r: Float32Array, n: number, steps: number): At {
  let now = Uint8Array.from(r);
  for (let step = 0; step < steps; step++) {
    const next = now.slice();
    for (let i = 0; i < n; i++)
      for (let k = 0; k < n; k++) if (now[i * n + k] === 1) for (let j = 0; j < n; j++) next[i * n + j] |= now[k * n + j];
    now = next;
  }
  return (at) => now[at];
}
