/** @file Reductions against NumPy and torch. */
import { expect } from 'chai';
import { EinstreamError } from '../../src/errors/index.js';
import '../../src/ops/index.js';
import { loadCases, titleOf } from './corpus.js';
import { culpritOf } from './culprits.js';
import { computeNamed, eagerly } from './families.js';
import { tally } from './tally.js';

describe('the reduce family of the corpus, eagerly (F145)', () => {
  const total = tally('reduce');
  for (const c of loadCases('reduce')) {
    it(titleOf(c), () => {
      total.check(c, () => computeNamed(c, eagerly));
      if (c.expected.error !== undefined) expect(() => computeNamed(c, eagerly)).to.throw(EinstreamError, culpritOf('reduce', c));
    });
  }
});
