/**
 * @file Nodes that wait for one another and for nobody else, joined: work that is not worth cutting.
 */
import type { Work } from './work.js';

/** Numbers of the nodes of each chain, in order. Chains are listed so that each comes after those that it waits for. */
export function chains({ before, after }: Pick<Work, 'before' | 'after'>): readonly (readonly number[])[] {
  const found: number[][] = [];
  const chainOf: number[][] = [];
  before.forEach((list, at) => {
    const only = list.length === 1 && after[list[0]].length === 1 ? chainOf[list[0]] : undefined;
    if (only === undefined) found.push((chainOf[at] = [at]));
    else (chainOf[at] = only).push(at);
  });
  return found;
}

/** The chains as if each was one node. */
export function asNodes(chained: readonly (readonly number[])[], work: Work): Pick<Work, 'before' | 'after' | 'costs'> {
  const place = new Int32Array(work.ids.length);
  chained.forEach((chain, at) => chain.forEach((number) => (place[number] = at)));
  const neighbours = (lists: Work['before']) =>
    chained.map((chain, at) => [...new Set(chain.flatMap((number) => lists[number].map((other) => place[other])))].filter((other) => other !== at)); // prettier-ignore
  const costs = Float64Array.from(chained, (chain) => chain.reduce((sum, number) => sum + work.costs[number], 0));
  return { before: neighbours(work.before), after: neighbours(work.after), costs };
}
