/**
 * @file A good order, fast: at each turn the pair whose product is smallest beside what it replaces.
 *
 * Looks at all pairs among the first values of a window, which narrows as operands grow in number, so that the search
 * stays within a fixed amount of work for any spec.
 */
import type { LabelSets } from './labelSets.js';
import type { Pair } from './types.js';

/** Pairs looked at in one search, about: 10 ms of work. */
const BUDGET = 60_000;

/** Values that are yet to be contracted, and who needs which label. */
interface Search {
  readonly sets: LabelSets;
  readonly values: Int32Array[];
  readonly elements: number[];
  /** By bit: how many live values have the label. */
  readonly users: Int32Array;
  /** Labels that exactly two live values have: these two, contracted, are free of it. */
  readonly twice: Int32Array;
}

/** An order, and what it costs. */
export interface Found {
  readonly pairs: readonly Pair[];
  readonly flops: number;
}

/** How good a pair is, the least the best: by the elements of its product, and of the two that this replaces. */
export type Score = (product: number, left: number, right: number) => number;

const smallest: Score = (product, left, right) => product - left - right;

const windowOf = (n: number): number => Math.max(4, Math.floor(Math.sqrt((2 * BUDGET) / n)));

/** Pairs that one search among `n` values looks at, about. */
export function pairsSeen(n: number): number {
  const window = Math.min(n, windowOf(n));
  return window ** 3 / 6 + ((n - window) * window ** 2) / 2;
}

/** An order, or undefined where it came to a point with no pair whose product has at most `memoryLimit` elements. */
export function greedyOrder(sets: LabelSets, memoryLimit: number, score: Score = smallest): Found | undefined {
  const n = sets.operands.length;
  const window = windowOf(n);
  const search = startSearch(sets);
  let flops = 0;
  const live: number[] = [];
  const pairs: Pair[] = [];
  let entered = 0;
  while (pairs.length < n - 1) {
    while (live.length < window && entered < n) live.push(entered++);
    const isLast = pairs.length === n - 2;
    const best = bestPair(search, live, isLast ? Infinity : memoryLimit, score);
    if (best === undefined) return undefined;
    const [left, right] = best;
    const [a, b] = [live[left], live[right]];
    pairs.push(a < b ? [a, b] : [b, a]);
    live[left] = merge(search, a, b);
    live.splice(right, 1);
    flops += sets.flops(search.values[a], search.values[b], search.values[live[left]]);
  }
  return { pairs, flops };
}

function startSearch(sets: LabelSets): Search {
  const { operands, empty } = sets;
  const search = {
    sets,
    values: [...operands],
    elements: operands.map((set) => sets.elements(set, set)),
    users: new Int32Array(empty.length * 32),
    twice: empty.slice(),
  };
  for (const set of operands) for (const bit of bitsOf(set)) search.users[bit]++;
  search.users.forEach((_, bit) => noteTwice(search, bit));
  return search;
}

/** Positions within `live`, the left one first; of equals the first found. */
function bestPair(
  { sets, values, elements, twice }: Search,
  live: readonly number[],
  memoryLimit: number,
  scoreOf: Score,
): Pair | undefined {
  const product = sets.empty.slice();
  let best: Pair | undefined;
  let least = 0;
  for (let left = 0; left < live.length; left++) {
    for (let right = left + 1; right < live.length; right++) {
      const [i, j] = [live[left], live[right]];
      productOf(values[i], values[j], twice, sets.keep, product);
      const size = sets.elements(product, product);
      if (size > memoryLimit) continue;
      const score = scoreOf(size, elements[i], elements[j]);
      if (best !== undefined && !(score < least)) continue;
      best = [left, right];
      least = score;
    }
  }
  return best;
}

function productOf(a: Int32Array, b: Int32Array, twice: Int32Array, keep: Int32Array, into: Int32Array): Int32Array {
  for (let word = 0; word < into.length; word++)
    into[word] = (a[word] | b[word]) & ~(a[word] & b[word] & twice[word] & ~keep[word]);
  return into;
}

function merge(search: Search, i: number, j: number): number {
  const { sets, values, elements, users, twice } = search;
  const [a, b] = [values[i], values[j]];
  const product = productOf(a, b, twice, sets.keep, sets.empty.slice());
  for (const bit of bitsOf(sets.and(a, b))) {
    users[bit]--;
    noteTwice(search, bit);
  }
  elements.push(sets.elements(product, product));
  return values.push(product) - 1;
}

function noteTwice({ users, twice }: Search, bit: number): void {
  if (users[bit] === 2) twice[bit >> 5] |= 1 << (bit & 31);
  else twice[bit >> 5] &= ~(1 << (bit & 31));
}

function bitsOf(set: Int32Array): readonly number[] {
  const bits: number[] = [];
  set.forEach((word, i) => {
    for (let rest = word; rest !== 0; rest &= rest - 1) bits.push(i * 32 + 31 - Math.clz32(rest & -rest));
  });
  return bits;
}
