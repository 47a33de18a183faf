/** @file The laws of layout choice: no bit changes, nothing is left to do, and no more is read against the order than before. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  chooseLayout,
  evaluateSync,
  gradient,
  isOpNode,
  js,
  nodesOf,
  wasm,
  type Graph,
  type Outputs,
  type Tensor,
} from '../../src/index.js';
import { inferTypes } from '../../src/graph/shapes.js';
import { idOfKey, keysOf } from '../../src/graph/keys.js';
import { nameOf, nodeOf } from '../../src/graph/graph.js';
import type { Level } from '../../src/passes/index.js';
import { isFloating } from '../../src/tensor/dtype.js';
import { againstOrder } from '../support/againstOrder.js';
import { hostile } from '../support/hostile.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import type { ElementRule, RandomGraph } from '../support/random-graph.js';
import { contextFor, rewritten } from '../support/rewritten.js';
import { differentBits } from '../support/sameBits.js';
import { transposedGraph, type TransposedGraph } from '../support/transposedGraph.js';

const backend = js();

/** Undefined, or the first output that is another one. */
function firstDifference(got: Outputs, want: Outputs): string | undefined {
  for (const [name, value] of Object.entries(want)) {
    const difference = differentBits(got[name], value);
    if (difference !== undefined) return `${name}: ${difference}`;
  }
  return undefined;
}

/** Small whole numbers, of which sums and products are exact. */
const whole: ElementRule = (drawn, dtype) => (dtype === 'bool' ? drawn % 2 : (drawn % 5) - 2);

/** Ops that give whole numbers for whole numbers. */
const WHOLE = ['relu', 'neg', 'isnan', 'square', 'add', 'mul', 'sub', 'maximum', 'less', 'where', 'sum', 'max', 'argmax', 'count', 'prod', 'any', 'min', 'argmin', 'sumsq', 'transpose', 'reshape', 'einsum']; // prettier-ignore
const staysWhole = (g: Graph): boolean => [...nodesOf(g)].every((node) => !isOpNode(node) || WHOLE.includes(node.op));

/** The largest magnitude of all values. */
const largest = ({ graph: g, feeds }: RandomGraph): number => {
  const keep = keysOf(g).filter((key) => key !== undefined);
  const values = Object.values(evaluateSync(g, feeds, { level: 'none', backend, keep }));
  return Math.max(...values.map(({ data }) => (data as Float64Array).reduce((most, x) => Math.max(most, Math.abs(x)), 0)));
};

const plain = ({ dtype, shape, data }: Tensor) => ({
  dtype,
  shape: [...shape],
  data: Array.from(data as Float64Array, (x) => x + 0),
});

/** The gradient of the latest value by all floating inputs, if it is a floating one. */
function slope(g: Graph): Graph | undefined {
  const types = inferTypes(g);
  const isReal = (id: number): boolean => isFloating(types[id]!.dtype!);
  const of = g.outputs.findLast(({ id, name }) => isReal(id) && idOfKey(g, name) !== undefined);
  const wrt = g.inputs.filter(isReal).map((id) => nameOf(nodeOf(g, id)));
  return of === undefined || wrt.length === 0 ? undefined : gradient(g, { of: of.name, wrt, seed: 'ones' });
}

describe('the laws of layout choice', function () {
  this.timeout(600_000);
  const options = { seed: propertySeed(), numRuns: propertyRuns(150, 3_000, 60_000) };
  let changed = 0;
  const turned = (random: TransposedGraph): Graph => {
    const { graph: after, report } = rewritten(random.graph, chooseLayout, { keep: random.keep });
    if (report.patches.length > 0) changed++;
    return after;
  };

  it('changes no bit of outputs and kept values on js, of hostile numbers, finds nothing more in a second run, and can be taken back (F031)', () => {
    changed = 0;
    fc.assert(
      fc.property(transposedGraph(hostile), (random) => {
        const at = (g: Graph) => evaluateSync(g, random.feeds, { level: 'none', backend, keep: random.keep });
        expect(firstDifference(at(turned(random)), at(random.graph))).to.equal(undefined);
      }),
      options,
    );
    console.log(`      ${changed} of ${options.numRuns} graphs changed`);
    expect(changed).to.be.greaterThan(options.numRuns / 20);
  });

  it('changes no bit of gradients', () => {
    changed = 0;
    fc.assert(
      fc.property(transposedGraph(hostile, 8, ['float32', 'float64']), (random) => {
        const back = slope(random.graph);
        if (back === undefined) return;
        const at = (g: Graph) => evaluateSync(g, random.feeds, { level: 'none', backend });
        expect(firstDifference(at(turned({ ...random, graph: back, keep: [] })), at(back))).to.equal(undefined);
      }),
      options,
    );
    console.log(`      ${changed} of ${options.numRuns} gradients changed`);
  });

  it('reads less against the order wherever it changes something', () => {
    fc.assert(
      fc.property(transposedGraph(hostile, 24), ({ graph: g, keep }) => {
        const { graph: after, report } = rewritten(g, chooseLayout, { keep });
        const kept = contextFor(g, { keep }).keep;
        if (report.patches.length > 0) expect(againstOrder(after, kept)).to.be.lessThan(againstOrder(g, kept));
      }),
      options,
    );
  });

  it("changes no bit among the passes of 'aggressive' where nothing is contracted", () => {
    fc.assert(
      fc.property(transposedGraph(hostile), ({ graph: g, feeds, keep }) => {
        fc.pre(![...nodesOf(g)].some(({ op }) => op === 'einsum'));
        const at = (level: Level) => evaluateSync(g, feeds, { level, backend, keep });
        expect(firstDifference(at('aggressive'), at('none'))).to.equal(undefined);
      }),
      options,
    );
  });

  it('gives the same numbers on wasm, which adds in its own order, where all are whole', async () => {
    const simd = await wasm();
    fc.assert(
      fc.property(transposedGraph(whole, 6, ['float64', 'int32']), ({ graph: g, feeds, keep }) => {
        fc.pre(staysWhole(g) && largest({ graph: g, feeds }) < 2 ** 16);
        const { graph: after } = rewritten(g, chooseLayout, { keep });
        const [got, want] = [after, g].map((each) => evaluateSync(each, feeds, { level: 'none', backend: simd, keep }));
        // Sums of nothing but zeros are 0 or −0 by their order.
        for (const name of Object.keys(want)) expect(plain(got[name]), name).to.deep.equal(plain(want[name]));
      }),
      { ...options, numRuns: Math.ceil(options.numRuns / 2) },
    );
    await simd.close();
  });
});
