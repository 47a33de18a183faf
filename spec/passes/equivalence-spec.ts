/**
 * @file The law of levels: no pass changes what a graph gives, whatever the numbers.
 *
 * Random graphs have planted in them what passes look for. It is read off `LEVELS`: a pass that joins a level comes under the law.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { evaluateSync, gradient, isOpNode, js, nodesOf, ops, wasm, type Graph, type Tensor } from '../../src/index.js'; // prettier-ignore
import { inferTypes } from '../../src/graph/shapes.js';
import { idOfKey, keysOf } from '../../src/graph/keys.js';
import { nameOf, nodeOf } from '../../src/graph/graph.js';
import { topology } from '../../src/graph/topology.js';
import { knownOp } from '../../src/ops/known.js';
import { applyPasses, LEVELS, type Level } from '../../src/passes/index.js';
import { isFloating } from '../../src/tensor/dtype.js';
import { firstDifference, type Compare } from '../support/first-difference.js';
import { hostile } from '../support/hostile.js';
import { plantedGraph } from '../support/planted.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { MOVES, type GraphChoice, type RandomGraph } from '../support/random-graph.js';
import { contextFor } from '../support/rewritten.js';
import { differentBits } from '../support/sameBits.js';

const OTHERS = (Object.keys(LEVELS) as Level[]).filter((level) => level !== 'none');

const contracts = (graph: Graph): boolean =>
  [...nodesOf(graph)].some((node) => isOpNode(node) && knownOp(node.op)!.contract !== undefined);

/** The gradients of the first floating output by all floating inputs, as a graph; undefined where there are none. */
function slopes({ graph, feeds }: RandomGraph, checkpoints: 'all' | 'sqrt'): RandomGraph | undefined {
  const types = inferTypes(graph);
  const isReal = (id: number): boolean => isFloating(types[id]!.dtype!);
  const of = graph.outputs.find(({ id, name }) => isReal(id) && idOfKey(graph, name) !== undefined);
  const wrt = graph.inputs.filter(isReal).map((id) => nameOf(nodeOf(graph, id)));
  if (of === undefined || wrt.length === 0) return undefined;
  return { graph: gradient(graph, { of: of.name, wrt, seed: 'ones', checkpoints }), feeds };
}

/** All values at `none`, by key. */
const valuesOf = ({ graph, feeds }: RandomGraph): readonly Tensor[] =>
  Object.values(
    evaluateSync(graph, feeds, { level: 'none', backend: js(), keep: keysOf(graph).filter((key) => key !== undefined) }),
  );

const largest = (random: RandomGraph): number =>
  Math.max(...valuesOf(random).map(({ data }) => (data as Float64Array).reduce((most, x) => Math.max(most, Math.abs(x)), 0)));

/** Sums of nothing are 0 or −0 by their order, so the two zeros are one. */
const differentNumbers: Compare = (got, want) => {
  const shape = differentBits(like(got), like(want));
  const [a, b] = [got.data, want.data] as readonly Float64Array[];
  const at = b.findIndex((value, i) => value !== a[i]);
  return shape ?? (at < 0 ? undefined : `[${at}] expected ${b[at]}, got ${a[at]}`);
};
const like = (x: Tensor): Tensor => ops['zerosLike'](x) as Tensor;

/** The ops that give whole numbers for whole numbers. */
const WHOLE = MOVES.filter((name) => !['sigmoid', 'tanh', 'exp', 'sqrt', 'log', 'div', 'mean', 'logsumexp', 'softmax', 'logSoftmax', 'scale'].includes(name)); // prettier-ignore
const wholeGraphs: GraphChoice = {
  element: (drawn) => (drawn % 5) - 2,
  moves: [...WHOLE, 'einsum', 'einsum', 'transpose', 'einsum'],
  dtypes: ['float64', 'float64', 'int32'],
};
/** The ops that give positive numbers for positive numbers, and whose result is no less exact than its operands are together. */
const POSITIVE = ['add', 'mul', 'maximum', 'minimum', 'sqrt', 'sum', 'max', 'min', 'transpose', 'reshape', 'unsqueeze', 'concat', 'einsum', 'keepdims', 'identity']; // prettier-ignore

/** For each value of positive numbers, how many units of the last place it may be off, one for each rounding on the way. */
function ulpBounds(graph: Graph): Map<number, number> {
  const bounds = new Map<number, number>();
  for (const id of topology(graph).order) {
    const node = nodeOf(graph, id);
    const given = node.inputs.map((input) => bounds.get(input)!);
    const most = Math.max(0, ...given);
    const isProduct = ['mul', 'einsum'].includes(node.op);
    bounds.set(id, !isOpNode(node) ? 0 : isProduct ? given.reduce((sum, each) => sum + each, 1) : most + 1);
  }
  return bounds;
}

/** How many nodes that compute are left of how many. */
const counted = { before: 0, after: 0, graphs: 0 };
function count({ graph }: RandomGraph): void {
  const computing = (g: Graph): number => [...nodesOf(g)].filter(isOpNode).length;
  const unfused = LEVELS.aggressive.filter(({ name }) => !name.startsWith('fuse'));
  counted.graphs++;
  counted.before += computing(applyPasses(graph, LEVELS.basic, contextFor(graph)).graph);
  counted.after += computing(applyPasses(graph, unfused, contextFor(graph)).graph);
}

describe('the law of levels', function () {
  this.timeout(600_000);
  const numRuns = propertyRuns(40, 1_000, 10_000);
  const options = { seed: propertySeed(), numRuns };
  const many = { seed: propertySeed(), numRuns: propertyRuns(40, 10_000, 100_000) };
  const backend = js();

  it(`changes no bit on js up to 'standard', nor at 'aggressive' where nothing is contracted, of hostile numbers (F031, J12)`, () => {
    fc.assert(
      fc.property(plantedGraph({ element: hostile }), (random) => {
        const levels = contracts(random.graph) ? OTHERS.filter((level) => level !== 'aggressive') : OTHERS;
        expect(firstDifference(random, levels, backend)).to.equal(undefined);
        count(random);
      }),
      many,
    );
    console.log(`      ${counted.graphs} graphs: ${counted.before} live nodes, ${counted.after} after the passes of 'aggressive' but fusion`); // prettier-ignore
    expect(counted.after).to.be.lessThan(counted.before * 0.9);
  });

  it('changes no bit of gradients either, with and without checkpoints', () => {
    let gradients = 0;
    fc.assert(
      fc.property(plantedGraph({ element: hostile }, 4), fc.constantFrom('all', 'sqrt'), (random, checkpoints) => {
        const of = slopes(random, checkpoints);
        if (of === undefined) return;
        gradients++;
        const levels = contracts(of.graph) ? OTHERS.filter((level) => level !== 'aggressive') : OTHERS;
        expect(firstDifference(of, levels, backend)).to.equal(undefined);
      }),
      many,
    );
    expect(gradients).to.be.greaterThan(many.numRuns / 4);
  });

  it("gives the same numbers at 'aggressive' where all are whole, in whichever order contractions are made", () => {
    let contracted = 0;
    fc.assert(
      fc.property(plantedGraph(wholeGraphs), (random) => {
        // prettier-ignore
        fc.pre(largest(random) < 2 ** 16);
        if (contracts(random.graph)) contracted++;
        expect(firstDifference(random, ['aggressive'], backend, differentNumbers)).to.equal(undefined);
        const of = slopes(random, 'all');
        if (of === undefined || largest(of) > 2 ** 16) return;
        expect(firstDifference(of, ['aggressive'], backend, differentNumbers), 'gradients').to.equal(undefined);
      }),
      options,
    );
    expect(contracted).to.be.greaterThan(numRuns / 10);
  });

  it("is off at 'aggressive' by two units of the last place for each rounding at most, of positive float32", () => {
    let farthest = 0;
    fc.assert(
      fc.property(
        plantedGraph({
          element: (drawn) => 0.5 + (drawn % 1000) / 700,
          moves: [...POSITIVE, 'einsum', 'einsum'],
          dtypes: ['float32'],
        }),
        (random) => {
          // prettier-ignore
          fc.pre(largest(random) < 1e30);
          const bounds = ulpBounds(random.graph);
          const ids = new Map(random.graph.outputs.map(({ name, id }) => [name, id]));
          const compare: Compare = (got, want, name) => {
            const allowed = 2 * bounds.get(ids.get(name)!)!;
            const [a, b] = [got.data, want.data] as readonly Float32Array[];
            const off = b.reduce((most, value, i) => Math.max(most, Object.is(a[i], value) ? 0 : Math.abs(a[i] - value) / (2 ** -23 * Math.abs(value))), 0); // prettier-ignore
            farthest = Math.max(farthest, off);
            return off <= allowed ? undefined : `${off} ULP, allowed ${allowed}`;
          };
          expect(firstDifference(random, ['aggressive'], backend, compare)).to.equal(undefined);
        },
      ),
      options,
    );
    console.log(`      at most ${farthest.toFixed(1)} ULP`);
  });

  it('changes no bit on interpreted kernels either', () => {
    const interpreted = js({ kernels: 'interpret' });
    fc.assert(
      fc.property(plantedGraph({ element: hostile }), (random) => {
        const levels = contracts(random.graph) ? OTHERS.filter((level) => level !== 'aggressive') : OTHERS;
        expect(firstDifference(random, levels, interpreted)).to.equal(undefined);
      }),
      { ...options, numRuns: Math.ceil(numRuns / 4) },
    );
  });

  it("gives on wasm the numbers that wasm gives at 'none', where all are whole", async () => {
    const simd = await wasm();
    fc.assert(
      fc.property(plantedGraph(wholeGraphs), (random) => {
        fc.pre(largest(random) < 2 ** 16);
        expect(firstDifference(random, OTHERS, simd, differentNumbers)).to.equal(undefined);
      }),
      { ...options, numRuns: Math.ceil(numRuns / 4) },
    );
    await simd.close();
  });
});
