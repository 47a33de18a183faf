/**
 * @file How many bytes an order holds at its worst moment, and an order that holds few.
 */
import type { Work } from './work.js';

/** Bytes of computed values at the worst moment: from the node that computes one to its last reader, or to the end for outputs. */
export function peakOf({ before, bytes, homes, leaves }: Work, order: readonly number[]): number {
  const readers = new Int32Array(bytes.length);
  for (const list of before) for (const home of new Set(list.map((at) => homes[at]))) if (home >= 0) readers[home]++;
  let [held, peak] = [0, 0];
  for (const at of order) {
    held += bytes[at];
    peak = Math.max(peak, held);
    for (const home of new Set(before[at].map((earlier) => homes[earlier])))
      if (home >= 0 && --readers[home] === 0 && leaves[home] === 0) held -= bytes[home];
    if (homes[at] === at && readers[at] === 0 && leaves[at] === 0) held -= bytes[at];
  }
  return peak;
}

/**
 * Operands first that need most beyond what they leave (Sethi and Ullman, The generation of optimal code for arithmetic expressions, 1970):
 * optimal for trees; of graphs with shared values the order as given is taken where it holds less.
 */
export function fewestBytes(work: Work, given: readonly number[]): readonly number[] {
  const { before, after, bytes } = work;
  const needs = new Float64Array(bytes.length);
  const children = before.map((list, at) => {
    const sorted = [...list].sort((a, b) => needs[b] - bytes[b] - (needs[a] - bytes[a]) || a - b);
    let held = 0;
    for (const child of sorted) {
      needs[at] = Math.max(needs[at], held + needs[child]);
      held += bytes[child];
    }
    needs[at] = Math.max(needs[at], held + bytes[at]);
    return sorted;
  });
  const order: number[] = [];
  const next = new Int32Array(bytes.length).fill(-1);
  for (let root = 0; root < bytes.length; root++) {
    if (after[root].length > 0) continue;
    const walk = [root];
    while (walk.length > 0) {
      const at = walk.at(-1)!;
      const child = children[at][++next[at]];
      if (child === undefined) order.push(walk.pop()!);
      else if (next[child] < 0) walk.push(child);
    }
  }
  return peakOf(work, order) < peakOf(work, given) ? order : given;
}
