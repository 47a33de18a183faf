import '../../src/ops/index.js';
import { loadCases, titleOf } from './corpus.js';
import { computeUnary, eagerly } from './families.js';
import { tally } from './tally.js';

describe('the unary family of the corpus, eagerly', () => {
  const total = tally('unary');
  for (const c of loadCases('unary')) it(titleOf(c), () => total.check(c, () => computeUnary(c, eagerly)));
});
