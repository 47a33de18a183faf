/** @file What joined contractions give: the same values, in less memory. */
import { expect } from 'chai';
import fc from 'fast-check';
import { graph, input, param } from '../../../src/graph/builder.js';
import { nodesOf, type Graph, type ParamNode } from '../../../src/graph/graph.js';
import {
  broadcastTo,
  einsum,
  evaluateSync,
  gradient,
  js,
  matmul,
  sum,
  unsqueeze,
  type Level,
  type Tensor,
} from '../../../src/index.js';
import { mergeEinsums } from '../../../src/passes/index.js';
import { findOp } from '../../../src/ops/registry.js';
import { ones, tensor } from '../../../src/tensor/index.js';
import type { ComputedDType } from '../../../src/tensor/dtype.js';
import { anyProductChain, type ProductChain } from '../../support/anyProductChain.js';
import { countedElements } from '../../support/countedElements.js';
import { farFrom, magnitudesOf } from '../../support/near.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { rewritten } from '../../support/rewritten.js';
import { thrownBy } from '../../support/thrownBy.js';

type Outputs = Readonly<Record<string, Tensor>>;

const at = (level: Level, { graph: g, feeds }: ProductChain): Outputs => evaluateSync(g, feeds, { level, backend: js() });

/** Elements, −0 as 0: a sum of nothing but −0 is 0, a product of them may be −0. */
const elementsOf = (outputs: Outputs): Readonly<Record<string, readonly number[]>> =>
  Object.fromEntries(
    Object.entries(outputs).map(([name, { data }]) => [name, [...(data as Float64Array)].map((x) => Number(x) + 0)]),
  );

const runs = (many: number): { readonly seed: number; readonly numRuns: number } => ({
  seed: propertySeed(),
  numRuns: propertyRuns(Math.ceil(many / 2), 6 * many, 100 * many),
});

describe('joined contractions', function () {
  this.timeout(600_000); // at its full size

  for (const dtype of ['int32', 'bool', 'float64'] as const satisfies readonly ComputedDType[])
    it(`change no bit where sums are exact: ${dtype}`, () => {
      let joined = 0;
      fc.assert(
        fc.property(anyProductChain(dtype), (chain) => {
          joined += rewritten(chain.graph, mergeEinsums).report.rewrites.length;
          expect(elementsOf(at('aggressive', chain))).to.deep.equal(elementsOf(at('none', chain)));
        }),
        runs(60),
      );
      expect(joined).to.be.greaterThan(propertyRuns(0, 10, 10));
    });

  it('stay within the tolerance of einsum where sums are rounded', () => {
    fc.assert(
      fc.property(anyProductChain('float32', { fractions: 1 }), (chain) => {
        const [got, want] = [at('aggressive', chain), at('none', chain)];
        const scale = at('none', magnitudes(chain));
        for (const name of Object.keys(want))
          expect(farFrom(got[name], want[name], findOp('einsum')!, scale[name]), name).to.equal(undefined);
      }),
      runs(60),
    );
  });

  it('have gradients of the same values', () => {
    fc.assert(
      fc.property(anyProductChain('float64', { maxMoves: 8, kinds: ['input', 'param'] }), ({ graph: g, feeds }) => {
        const [wrt] = g.inputs;
        const back = gradient(g, { of: 'y0', wrt: [nameOf(g, wrt)], seed: 'ones' });
        const chain = { graph: back, feeds };
        expect(elementsOf(at('aggressive', chain))).to.deep.equal(elementsOf(at('none', chain)));
      }),
      runs(40),
    );
  });

  it('show NaN where a path does, which may be elsewhere than in two steps', () => {
    const g = graph({ a: input([2, 2]), b: input([2, 2]), v: input([2]) }, ({ a, b, v }) => ({ y: matmul(matmul(a, b), v) }));
    // (0·1 + 1·1)·∞ is ∞; joined, b·v is summed first, and 0·∞ is among its terms.
    const feeds = { a: [[0, 1], [1, 1]], b: [[1, 0], [1, 0]], v: [Infinity, 1] }; // prettier-ignore
    const [none, joined] = (['none', 'aggressive'] as const).map((level) => evaluateSync(g, feeds, { level }).y.toArray());
    expect(none).to.deep.equal([Infinity, Infinity]);
    expect(joined).to.deep.equal([NaN, Infinity]);
  });

  it('refuse sizes that what they stand for would have refused', () => {
    const w = param(ones([6]));
    const g = graph({ x: input([6, 4]), w }, ({ x, w: b }) => ({ y: einsum('ij,ij->j', broadcastTo(unsqueeze(b, { axis: 1 }), { shape: [6, 4] }), x) })); // prettier-ignore
    for (const level of ['none', 'aggressive'] as const) {
      expect(evaluateSync(g, { x: ones([6, 4]) }, { level }).y.toArray(), level).to.deep.equal([6, 6, 6, 6]);
      expect(evaluateSync(g, { x: ones([6, 4]), w: ones([1]) }, { level }).y.toArray(), level).to.deep.equal([6, 6, 6, 6]);
      expect(thrownBy(() => evaluateSync(g, { x: ones([6, 4]), w: ones([5]) }, { level })).code, level).to.equal('E_SHAPE');
    }
  });
});

describe('the join in two steps (B14)', () => {
  const n = propertyRuns(60, 200, 200);
  const join = graph({ x: input([n, n]), y: input([n, n]) }, ({ x, y }) => ({
    z: einsum('acb->ab', einsum('ac,cb->acb', x, y)),
  }));
  const matrix = (seed: number): Tensor => tensor(Float32Array.from({ length: n * n }, (_, i) => ((i * seed) % 7) - 3), { shape: [n, n] }); // prettier-ignore
  const feeds = { x: matrix(3), y: matrix(5) };
  const largest = (g: unknown, given: Readonly<Record<string, Tensor>>, level: Level): number => {
    const counted = countedElements();
    evaluateSync(g as Graph, given, { level, backend: counted.backend });
    return counted.largest();
  };

  it(`holds n² elements at a time and not n³, for n = ${n}`, () => {
    expect([largest(join, feeds, 'standard'), largest(join, feeds, 'aggressive')]).to.deep.equal([n ** 3, n ** 2]);
    const [none, joined] = (['none', 'aggressive'] as const).map((level) => evaluateSync(join, feeds, { level }).z.data);
    expect(joined).to.deep.equal(none); // whole numbers
  });

  it('has a gradient that holds n² elements too, with the value or without', () => {
    for (const value of [false, true]) {
      const back = gradient(join, { of: 'z', wrt: ['x', 'y'], seed: 'feed', value });
      const all = { ...feeds, 'z.cotangent': ones([n, n]) };
      expect([largest(back, all, 'standard'), largest(back, all, 'aggressive')], String(value)).to.deep.equal([n ** 3, n ** 2]);
    }
    const total = graph({ x: input([n, n]), y: input([n, n]) }, ({ x, y }) => ({ z: sum(einsum('ac,cb->acb', x, y)) }));
    expect(largest(gradient(total, { of: 'z', wrt: ['x', 'y'] }), feeds, 'aggressive')).to.be.at.most(n ** 2);
  });
});

const nameOf = (g: Graph, id: number): string => [...nodesOf(g)].find((node) => node.id === id)!.name!;

/** The same graph fed with absolute values, params too: its results bound what rounding errors are relative to. */
function magnitudes({ graph: g, feeds }: ProductChain): ProductChain {
  const params = [...nodesOf(g)].filter((node): node is ParamNode => node.op === 'param');
  const all = { ...feeds, ...Object.fromEntries(params.map(({ name, value }) => [name!, value])) };
  return { graph: g, feeds: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, magnitudesOf(value)])) };
}
