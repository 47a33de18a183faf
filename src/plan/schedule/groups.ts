/**
 * @file Groups of nodes that may run side by side: by level, evened out, or those on the longest way first.
 */
import { heap } from '../heap.js';
import { depthsOf, grouped, type Groups } from './levels.js';
import type { Work } from './work.js';

const numbersOf = ({ before }: Work): readonly number[] => [...before.keys()];
const depths = (work: Work): Int32Array => depthsOf(numbersOf(work), work.before.length, (at) => work.before[at]);

/** All that are ready at once, level by level. */
export const byLevel = (work: Work): Groups => grouped(numbersOf(work), depths(work));

/** How many levels further a node is moved at most: graphs may be a million levels deep. */
const REACH = 32;

/** Levels again, where a node that nobody waits for yet goes to the level, of those it may lie in, that has least to do. */
export function evenedOut(work: Work): Groups {
  const deepest = depths(work).reduce((most, depth) => Math.max(most, depth), 0);
  const latest = new Int32Array(work.before.length).fill(deepest);
  for (let at = latest.length - 1; at >= 0; at--)
    for (const earlier of work.before[at]) latest[earlier] = Math.min(latest[earlier], latest[at] - 1);
  const loads = new Float64Array(deepest + 1);
  const levels = new Int32Array(work.before.length);
  work.before.forEach((list, at) => {
    const earliest = list.reduce((level, earlier) => Math.max(level, levels[earlier] + 1), 0);
    let level = earliest;
    for (let other = earliest + 1; other <= Math.min(latest[at], earliest + REACH); other++)
      if (loads[other] < loads[level]) level = other;
    levels[at] = level;
    loads[level] += work.costs[at];
  });
  return grouped(numbersOf(work), levels);
}

/** The cost of the longest way from each node to an end, its own included. */
export function ways({ after, costs }: Pick<Work, 'after' | 'costs'>): Float64Array {
  const way = Float64Array.from(costs);
  for (let at = way.length - 1; at >= 0; at--) way[at] += after[at].reduce((longest, later) => Math.max(longest, way[later]), 0);
  return way;
}

/**
 * List scheduling (Graham, Bounds for certain multiprocessing anomalies, 1966), the longest way first: up to `workers` dear nodes at a
 * time. What costs less than `threshold` is not worth company, and runs as soon as it can.
 */
export function longestFirst(work: Pick<Work, 'before' | 'after' | 'costs'>, workers: number, threshold: number): Groups {
  const { before, after, costs } = work;
  const way = ways(work);
  const waiting = before.map((list) => list.length);
  const dear = heap<number>((a, b) => way[a] > way[b] || (way[a] === way[b] && a < b));
  const cheap: number[] = [];
  const ready = (at: number): void => void (costs[at] < threshold ? cheap.push(at) : dear.push(at));
  waiting.forEach((count, at) => count === 0 && ready(at));
  const groups: number[][] = [];
  for (let next = 0; ;) {
    const group: number[] = [];
    if (next < cheap.length) group.push(cheap[next++]);
    else while (group.length < workers && dear.peek() !== undefined) group.push(dear.pop()!);
    if (group.length === 0) return groups;
    groups.push(group);
    for (const at of group) for (const later of after[at]) if (--waiting[later] === 0) ready(later);
  }
}
