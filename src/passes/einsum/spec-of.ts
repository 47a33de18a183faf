/**
 * @file A term as the parameters of an einsum: letters for labels, those that were written where they are free.
 */
import type { EinsumParams } from '../../ops/einsum/einsum.js';
import type { Stated } from './claims.js';
import type { Term } from './term.js';

/** Labels that a spec can name. */
export const MAX_LETTERS = 52;

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The distinct labels of a term that a spec would name. */
export const labelsIn = ({ operands, output }: Term): ReadonlySet<number> =>
  new Set([...operands.flatMap(({ labels }) => labels), ...output]);

/** A letter for each label of a term, of which there are at most 52. */
export function lettersOf(term: Term): ReadonlyMap<number, string> {
  const labels = [...labelsIn(term)];
  const letters = new Map<number, string>();
  const taken = new Set<string>();
  const give = (label: number, letter: string): void => {
    letters.set(label, letter);
    taken.add(letter);
  };
  // Labels of the root have the smaller numbers, and so the first choice.
  for (const label of [...labels].sort((a, b) => a - b)) {
    const name = term.names[label];
    if (name !== undefined && !taken.has(name)) give(label, name);
  }
  for (const label of labels)
    if (!letters.has(label))
      give(
        label,
        LETTERS.find((letter) => !taken.has(letter))!,
      );
  return letters;
}

/** The einsum of a term, in its letters. */
export function specOf({ operands, output }: Term, letters: ReadonlyMap<number, string>, stated: Stated): EinsumParams {
  const written = (own: readonly number[]): string => own.map((label) => letters.get(label)!).join('');
  const spec = `${operands.map(({ labels }) => written(labels)).join()}->${written(output)}`;
  if (stated.size === 0) return { spec };
  return { spec, sizes: Object.fromEntries([...stated].map(([label, size]) => [letters.get(label)!, size])) };
}
