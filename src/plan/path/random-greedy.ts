/**
 * @file The best of several greedy orders, each led a little astray: greedy takes the pair that is best now, and so misses orders
 * that are better in the end.
 *
 * A pair is drawn with a probability that falls as its score grows (a Boltzmann distribution, drawn as the least of scores with
 * Gumbel noise). The noise is pseudo-random of one seed, so the same contraction always gets the same order.
 */
import { greedyOrder, pairsSeen, type Found, type Score } from './greedy.js';
import type { LabelSets } from './labelSets.js';

/** Most orders that are tried. */
const MAX_TRIALS = 128;

/** The cheapest order found with at most `budget` pairs looked at; undefined where none was tried or fits the limit. */
export function randomGreedyOrder(sets: LabelSets, memoryLimit: number, budget: number): Found | undefined {
  const trials = Math.min(MAX_TRIALS, Math.floor(budget / pairsSeen(sets.operands.length)));
  const random = randomFrom(0x2545f491);
  let best: Found | undefined;
  for (let trial = 0; trial < trials; trial++) {
    const found = greedyOrder(sets, memoryLimit, noisyScore(random));
    if (found !== undefined && (best === undefined || found.flops < best.flops)) best = found;
  }
  return best;
}

/** How much what a pair replaces counts, and how far a choice may be from the best, differ from trial to trial. */
function noisyScore(random: () => number): Score {
  const share = 2 * random();
  const temperature = 10 ** (-3 * random());
  return (product, left, right) => {
    const score = product - share * (left + right);
    const gumbel = -Math.log(-Math.log(random()));
    return Number.isFinite(score) ? score - temperature * Math.abs(score) * gumbel : score;
  };
}

/** Numbers between 0 and 1, neither of them (xorshift). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) + 0.5) / 2 ** 32;
  };
}
