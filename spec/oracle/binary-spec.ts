import '../../src/ops/index.js';
import { loadCases, titleOf } from './corpus.js';
import { computeBinary, eagerly } from './families.js';
import { tally } from './tally.js';

describe('the binary family of the corpus, eagerly', () => {
  const total = tally('binary');
  for (const c of loadCases('binary')) it(titleOf(c), () => total.check(c, () => computeBinary(c, eagerly)));
});
