/**
 * @file The indexings of the corpus, in the words of the engine.
 */
import { at, ellipsis, newaxis, range, type SliceSpec } from '../../src/tensor/index.js';
import type { Case } from './corpus.js';

type Item = number | string | readonly (number | null)[];

/** One indexing: items for the axes, or a transposition. */
export type View = readonly Item[] | { readonly transpose: readonly number[] };

/** The indexings of a case, one after another. */
export const viewsOf = (c: Case): readonly View[] => c.params!['views'] as readonly View[];

export function specOf(item: Item): SliceSpec {
  if (typeof item === 'number') return at(item);
  if (item === '...') return ellipsis;
  if (item === 'newaxis') return newaxis;
  const [start, stop, step] = item as readonly (number | null)[];
  return range(start, stop, step ?? undefined);
}
