/**
 * @file How many vectors a step takes: as many as hide the latency of arithmetic, as few as keep code small.
 */
import { lengthOf, type Code } from './bytes.js';

/** Bytes of code in a loop beyond which more vectors cost more to compile than they save. */
const BUDGET = 8192;

/** A power of two up to `most`, given the code of one vector. */
export function unrolled(one: Code, most: number): number {
  const bytes = lengthOf(one);
  let vectors = most;
  while (vectors > 1 && vectors * bytes > BUDGET) vectors /= 2;
  return vectors;
}
