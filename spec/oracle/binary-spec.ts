import { js } from '../../src/index.js';
import { loadCases, titleOf } from './corpus.js';
import { computeBinary, eagerly, type Apply } from './families.js';
import { tally } from './tally.js';
import { applyInGraph } from './throughGraph.js';

const ways: Readonly<Record<string, Apply>> = { eagerly, 'in a graph on js': applyInGraph(js()) };

for (const [way, apply] of Object.entries(ways)) {
  describe(`the binary family of the corpus, ${way}`, () => {
    const total = tally('binary');
    for (const c of loadCases('binary')) it(titleOf(c), () => total.check(c, () => computeBinary(c, apply)));
  });
}
