/**
 * @file Numbers that look drawn, and are the same for the same seed: for children and workers, where fast-check is too much.
 */

/** A generator of numbers in [0, 1), the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
