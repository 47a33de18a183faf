/**
 * @file The cheapest order, by dynamic programming over subsets of the operands.
 *
 * What the product of a subset looks like does not depend on how it was made, so the cheapest way to it is the
 * cheapest of its splits in two: 3^n of them, 59,049 for the limit of ten. Of equal costs the one that writes less wins.
 */
import type { LabelSets } from './labelSets.js';
import type { Pair } from './types.js';

/** Most operands of an optimal search. */
export const MAX_OPTIMAL = 10;

/** The order of least cost, or undefined where every order has an intermediate above `memoryLimit` elements. */
export function optimalOrder(sets: LabelSets, memoryLimit: number): readonly Pair[] | undefined {
  const n = sets.operands.length;
  const everything = 2 ** n - 1;
  const results = resultsOf(sets, everything);
  const cost = new Array<number>(everything + 1).fill(Infinity);
  const written = new Array<number>(everything + 1).fill(0);
  const split = new Array<number>(everything + 1).fill(0);
  for (let i = 0; i < n; i++) cost[1 << i] = 0;

  // A subset's proper subsets are smaller numbers, so they are done before it.
  for (let subset = 1; subset <= everything; subset++) {
    const lowest = subset & -subset;
    if (subset === lowest) continue;
    const elements = subset === everything ? 0 : sets.elements(results[subset], results[subset]);
    if (elements > memoryLimit) continue;
    for (let part = (subset - 1) & subset; part > 0; part = (part - 1) & subset) {
      const other = subset ^ part;
      // Each split once, and none of parts that cannot be had.
      if ((part & lowest) === 0 || !isReached(part, split) || !isReached(other, split)) continue;
      const isFirst = split[subset] === 0;
      const parts = cost[part] + cost[other];
      if (!isFirst && parts > cost[subset]) continue;
      const total = parts + sets.flops(results[part], results[other], results[subset]);
      const writes = written[part] + written[other] + elements;
      if (isFirst || total < cost[subset] || (total === cost[subset] && writes < written[subset])) {
        cost[subset] = total;
        written[subset] = writes;
        split[subset] = part;
      }
    }
  }
  return isReached(everything, split) ? orderOf(everything, split, n) : undefined;
}

const isReached = (subset: number, split: readonly number[]): boolean => split[subset] !== 0 || (subset & (subset - 1)) === 0;

/** By subset: the labels of its product that somebody outside still needs. */
function resultsOf(sets: LabelSets, everything: number): readonly Int32Array[] {
  const union: Int32Array[] = [sets.empty];
  for (let subset = 1; subset <= everything; subset++) {
    const lowest = subset & -subset;
    union.push(sets.or(union[subset ^ lowest], sets.operands[31 - Math.clz32(lowest)]));
  }
  return union.map((labels, subset) => sets.and(labels, sets.or(sets.keep, union[everything ^ subset])));
}

function orderOf(everything: number, split: readonly number[], n: number): readonly Pair[] {
  const pairs: Pair[] = [];
  const build = (subset: number): number => {
    const part = split[subset];
    if (part === 0) return 31 - Math.clz32(subset);
    const left = build(part);
    const right = build(subset ^ part);
    return n + pairs.push(left < right ? [left, right] : [right, left]) - 1;
  };
  build(everything);
  return pairs;
}
