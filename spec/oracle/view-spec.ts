import { expect } from 'chai';
import { EinstreamError } from '../../src/errors/index.js';
import { at, ellipsis, newaxis, range, sliceView, transposeView, type SliceSpec, type Tensor } from '../../src/tensor/index.js';
import { loadCases, tensorOf, titleOf, type Case } from './corpus.js';
import { tally } from './tally.js';

type Item = number | string | readonly (number | null)[];
type View = readonly Item[] | { readonly transpose: readonly number[] };

function specOf(item: Item): SliceSpec {
  if (typeof item === 'number') return at(item);
  if (item === '...') return ellipsis;
  if (item === 'newaxis') return newaxis;
  const [start, stop, step] = item as readonly (number | null)[];
  return range(start, stop, step ?? undefined);
}

const apply = (t: Tensor, view: View): Tensor =>
  'transpose' in view ? transposeView(t, view.transpose) : sliceView(t, ...view.map(specOf));
const viewsOf = (c: Case): readonly View[] => c.params!['views'] as readonly View[];

/** What the message must name for each kind of error, from the case itself. */
const CULPRITS: Readonly<Record<string, (views: readonly View[]) => RegExp>> = {
  index: (views) => new RegExp(`index ${(views.at(-1) as readonly Item[])[0]} must lie in axis 0`),
  step: () => /step for axis 0 .* got 0/,
  rank: (views) => new RegExp(`no more specs than axes.* got ${(views[0] as readonly Item[]).length} specs`),
  ellipsis: () => /ellipsis may stand once; got 2 ellipses/,
  axes: () => /"transpose axes": axis 0 must be named once; got axes \[0, 0\] of a tensor of rank 2/,
};

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
      const kind = c.expected.error;
      if (kind !== undefined) expect(() => viewsOf(c).reduce(apply, base)).to.throw(EinstreamError, CULPRITS[kind](viewsOf(c)));
    });
  }
});
