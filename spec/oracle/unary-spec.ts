import { js } from '../../src/index.js';
import { loadCases, titleOf } from './corpus.js';
import { computeUnary, eagerly, type Apply } from './families.js';
import { tally } from './tally.js';
import { applyInGraph } from './throughGraph.js';

const ways: Readonly<Record<string, Apply>> = { eagerly, 'in a graph on js': applyInGraph(js()) };

for (const [way, apply] of Object.entries(ways)) {
  describe(`the unary family of the corpus, ${way}`, () => {
    const total = tally('unary');
    for (const c of loadCases('unary')) it(titleOf(c), () => total.check(c, () => computeUnary(c, apply)));
  });
}
