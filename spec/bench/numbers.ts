/**
 * @file Input that every engine, every language and every run makes alike: a linear congruential generator.
 */

/** `count` numbers in ±scale, moved by `shift`. */
export function numbers(count: number, seed: number, scale = 1, shift = 0): Float32Array {
  const values = new Float32Array(count);
  const next = uniform(seed);
  for (let i = 0; i < count; i++) values[i] = (next() - 0.5) * 2 * scale + shift;
  return values;
}

/** Numbers from 0 to below 1, one at each call. */
export function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}
