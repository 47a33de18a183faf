import { js } from '../../src/index.js';
import { loadCases, titleOf } from './corpus.js';
import { built, computeSoftlogic, type Build } from './families.js';
import { tally } from './tally.js';
import { buildGraph } from './throughGraph.js';

const ways: Readonly<Record<string, Build>> = { eagerly: built, 'in a graph on js': buildGraph(js()) };

for (const [way, build] of Object.entries(ways)) {
  describe(`the softlogic family of the corpus, ${way}`, () => {
    const total = tally('softlogic');
    for (const c of loadCases('softlogic')) it(titleOf(c), () => total.check(c, () => computeSoftlogic(c, build)));
  });
}
