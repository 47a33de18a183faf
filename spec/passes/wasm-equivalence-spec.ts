/**
 * @file The law of levels on `wasm`, whose sums are made in lanes: what changes their order may round otherwise, and nothing else may.
 *
 * Where nothing is summed no bit may differ, whatever the numbers. Where sums and contractions are fused, merged or reordered, values
 * are as far apart as rounding allows: see `magnitudes.ts` for the bound and where it is from.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { evaluateSync, isOpNode, js, nodesOf, wasm, type Backend, type Graph, type Tensor } from '../../src/index.js';
import { LEVELS, type Level } from '../../src/passes/index.js';
import { firstDifference, type Compare } from '../support/first-difference.js';
import { hostile } from '../support/hostile.js';
import { isLinear, LINEAR, ofMagnitudes, roundings } from '../support/magnitudes.js';
import { plantedGraph } from '../support/planted.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { MOVES, type RandomGraph } from '../support/random-graph.js';
import { sameShape } from '../../src/tensor/shape.js';

const OTHERS = (Object.keys(LEVELS) as Level[]).filter((level) => level !== 'none');

/** Ops whose result depends on the order in which terms are taken. */
const ORDERED: ReadonlySet<string> = new Set(['sum', 'mean', 'prod', 'logsumexp', 'softmax', 'logSoftmax', 'einsum', 'keepdims']);
const isOrdered = (graph: Graph): boolean => [...nodesOf(graph)].some((node) => isOpNode(node) && ORDERED.has(node.op));

/**
 * Functions are polynomials in float32 lanes, or calls in float64 ones, by what else the kernel does: within their tolerance, not to
 * the last bit. So is a + b − 2ab.
 */
const FUNCTIONS: ReadonlySet<string> = new Set(['sigmoid', 'tanh', 'exp', 'log', 'xor']);

/** Half a unit of the last place of float32. */
const UNIT = 2 ** -24;

/** Holds outputs to twice the bound of each side; `told` hears how much of it was needed. */
function within(random: RandomGraph, told: (share: number) => void): Compare {
  const bounds = roundings(random.graph);
  const large = ofMagnitudes(random);
  const magnitudes = evaluateSync(large.graph, large.feeds, { level: 'none', backend: js() });
  const ids = new Map(random.graph.outputs.map(({ name, id }) => [name, id]));
  return (got, want, name) => {
    if (got.dtype !== want.dtype || !sameShape(got.shape, want.shape)) return 'another dtype or shape';
    const k = bounds.get(ids.get(name)!)!;
    // Both sides may be off; below the least normal number rounding is absolute.
    const share = (k * UNIT) / (1 - k * UNIT);
    const [a, b, most] = [got, want, magnitudes[name]].map(({ data }) => data as Float32Array);
    for (let i = 0; i < b.length; i++) {
      const allowed = 2 * (share * most[i] * (1 + share) + k * 2 ** -149);
      const off = Math.abs(a[i] - b[i]);
      if (!(off <= allowed)) return `[${i}] expected ${b[i]}, got ${a[i]}, allowed ${allowed}`;
      told(off / allowed);
    }
    return undefined;
  };
}

describe('the law of levels on wasm', function () {
  this.timeout(600_000);
  const numRuns = propertyRuns(15, 600, 10_000);
  const options = { seed: propertySeed(), numRuns };
  let backend: Backend;
  before(async () => void (backend = await wasm()));
  after(() => backend.close());

  it("changes no bit of what wasm gives at 'none', at any level, of hostile numbers, where nothing is summed and nothing but arithmetic done (F031)", () => {
    const moves = MOVES.filter((move) => !ORDERED.has(move) && !FUNCTIONS.has(move));
    fc.assert(
      fc.property(plantedGraph({ element: hostile, moves }), (random) => {
        fc.pre(!isOrdered(random.graph));
        expect(firstDifference(random, OTHERS, backend)).to.equal(undefined);
      }),
      options,
    );
  });

  it('is off by no more than roundings in another order, at any level, where numbers of both signs are summed and contracted', () => {
    let [most, differing, graphs] = [0, 0, 0];
    fc.assert(
      fc.property(
        plantedGraph({
          element: (drawn) => ((drawn % 2001) - 1000) / 701,
          moves: [...LINEAR, 'einsum', 'sum'],
          dtypes: ['float32'],
        }),
        (random) => {
          fc.pre(isLinear(random.graph));
          const large = ofMagnitudes(random);
          const sizes = Object.values(evaluateSync(large.graph, large.feeds, { level: 'none', backend: js() }));
          fc.pre(sizes.every(({ data }: Tensor) => (data as Float32Array).every((each) => each < 1e30)));
          let own = 0;
          const compare = within(random, (share) => (own = Math.max(own, share)));
          expect(firstDifference(random, OTHERS, backend, compare)).to.equal(undefined);
          graphs++;
          if (own > 0) differing++;
          most = Math.max(most, own);
        },
      ),
      options,
    );
    console.log(`      ${differing} of ${graphs} graphs differ, by ${(100 * most).toFixed(0)} % of what is allowed at most`);
    expect(most).to.be.at.most(1);
  });

  it('has a bound that finds results a thousandth off', () => {
    const random = fc.sample(plantedGraph({ element: (drawn) => 1 + (drawn % 100) / 100, moves: ['sum', 'einsum', 'mul'], dtypes: ['float32'] }).filter(({ graph }) => isLinear(graph)), { seed: 1, numRuns: 50 }); // prettier-ignore
    const found = random.filter((each) => {
      const compare = within(each, () => undefined);
      const want = evaluateSync(each.graph, each.feeds, { level: 'none', backend });
      return Object.entries(want).every(([name, value]) => {
        const wrong = (value.data as Float32Array).map((element) => element * 0.999);
        return compare({ ...value, data: wrong } as Tensor, value, name) !== undefined;
      });
    });
    expect(found.length).to.be.greaterThan(40);
  });
});
