import { expect } from 'chai';
import { EinstreamError } from '../../src/errors/index.js';
import { sliceView, transposeView, type Tensor } from '../../src/tensor/index.js';
import { loadCases, tensorOf, titleOf } from './corpus.js';
import { culpritOf } from './culprits.js';
import { tally } from './tally.js';
import { specOf, viewsOf, type View } from './views.js';

const apply = (t: Tensor, view: View): Tensor =>
  'transpose' in view ? transposeView(t, view.transpose) : sliceView(t, ...view.map(specOf));

describe('the oracle corpus, view (F098)', () => {
  const total = tally('view');
  for (const c of loadCases('view')) {
    it(titleOf(c), () => {
      const base = tensorOf(c.inputs[0]);
      total.check(c, () => {
        const view = viewsOf(c).reduce(apply, base);
        expect(view.buffer, 'a view shares the buffer').to.equal(base.buffer);
        return view;
      });
      if (c.expected.error !== undefined)
        expect(() => viewsOf(c).reduce(apply, base)).to.throw(EinstreamError, culpritOf('view', c));
    });
  }
});
