import '../../src/ops/index.js';
import { loadCases, titleOf } from './corpus.js';
import { built, computeSoftlogic } from './families.js';
import { tally } from './tally.js';

describe('the softlogic family of the corpus, eagerly', () => {
  const total = tally('softlogic');
  for (const c of loadCases('softlogic')) it(titleOf(c), () => total.check(c, () => computeSoftlogic(c, built)));
});
