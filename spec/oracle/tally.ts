/**
 * @file The count of a corpus family: printed as `einsum: 290/290`, and a failure when it is not all of them.
 */
import { judge, readFamily, type Case, type Family } from './corpus.js';
import type { Tensor } from '../../src/tensor/tensor.js';

export interface Tally {
  /** Computes and judges; throws what is wrong, else counts the case. */
  check(c: Case, compute: () => Tensor): void;
  /** Counts a case that the spec has judged itself. */
  pass(id: string): void;
}

/**
 * Call once inside a family's `describe`. Where a file holds several kinds (`binary` holds the ternary
 * cases too), the suite must check them all.
 */
export function tally(family: Family): Tally {
  const total = readFamily(family).length;
  const passed = new Set<string>();
  const pass = (id: string): void => void passed.add(id);

  after(`${family}: all cases of the corpus`, function () {
    console.log(`      ${family}: ${passed.size}/${total}`);
    if (passed.size === total || isFiltered(this.test?.parent)) return;
    throw new Error(`${family}: ${passed.size} of ${total} cases of the oracle corpus agree; every one must`);
  });

  return {
    pass,
    check(c, compute) {
      const message = judge(c, compute);
      if (message !== undefined) throw new Error(`${c.id}: ${message}`);
      pass(c.id);
    },
  };
}

/** With `mocha -g` some tests never start; then the total says nothing. */
function isFiltered(suite: Mocha.Suite | undefined): boolean {
  let filtered = false;
  suite?.eachTest((test) => {
    if (test.state === undefined && !test.pending) filtered = true;
  });
  return filtered;
}
