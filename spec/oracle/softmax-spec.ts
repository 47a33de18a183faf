/** @file softmax, its logarithm and layer normalisation against NumPy, SciPy and torch. */
import '../../src/ops/index.js';
import { loadCases, titleOf } from './corpus.js';
import { computeNamed, eagerly } from './families.js';
import { tally } from './tally.js';

describe('the softmax family of the corpus, eagerly', () => {
  const total = tally('softmax');
  for (const c of loadCases('softmax')) {
    it(titleOf(c), () => total.check(c, () => computeNamed(c, eagerly)));
  }
});
