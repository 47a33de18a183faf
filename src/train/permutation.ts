/**
 * @file Orders drawn from a seed: the same on every machine, in every worker, and for each draw without those before it.
 */

/** Mixes 32 bits: murmur3's finalizer behind a step of the golden ratio, as in SplitMix (Steele et al., 2014). */
function mixer(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  };
}

const rotated = (bits: number, by: number): number => (bits << by) | (bits >>> (32 - by));

/** xoshiro128** (Blackman and Vigna, 2018): 32 bits a call, from four words that are not all 0. */
export function xoshiro(start: readonly [number, number, number, number]): () => number {
  let [a, b, c, d] = start;
  return () => {
    const drawn = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotated(d, 11);
    return drawn;
  };
}

/** The stream of one draw: `seed` may have 53 bits, `draw` 32. */
export function streamOf(seed: number, draw: number): () => number {
  let key = 0;
  for (const part of [seed, Math.floor(seed / 2 ** 32), draw]) key = mixer(key ^ part)();
  const mix = mixer(key);
  return xoshiro([mix(), mix(), mix(), mix() | 1]);
}

/** The numbers from 0 below `count` in an order of their own: each order as likely as any (Fisher and Yates). */
export function permutation(count: number, next: () => number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, at) => at);
  for (let last = count - 1; last > 0; last--) {
    const at = below(last + 1, next);
    [order[last], order[at]] = [order[at], order[last]];
  }
  return order;
}

/** What would make small numbers likelier is drawn again. */
function below(bound: number, next: () => number): number {
  const most = 2 ** 32 - (2 ** 32 % bound);
  let drawn = next();
  while (drawn >= most) drawn = next();
  return drawn % bound;
}
