/**
 * @file Every pair of a list, to find two of which one text says that they are equal and another that they are not.
 */

export interface Pair {
  readonly key: string;
  readonly form: string;
}

/** Undefined, or the first two whose keys are equal and forms are not, or the other way round; and counts. */
export function wrongPair(items: readonly Pair[]): {
  readonly wrong: readonly [Pair, Pair] | undefined;
  readonly pairs: number;
  readonly equal: number;
} {
  let [pairs, equal] = [0, 0];
  for (let i = 0; i < items.length; i++)
    for (let j = 0; j < i; j++) {
      const sameKey = items[i].key === items[j].key;
      pairs++;
      if (sameKey) equal++;
      if (sameKey !== (items[i].form === items[j].form)) return { wrong: [items[i], items[j]], pairs, equal };
    }
  return { wrong: undefined, pairs, equal };
}
