/** @file Wider numbers from the edges of a graph inwards: what float32 loses is kept, integers stay what they are. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  add,
  argmax,
  cast,
  constant,
  div,
  evaluateSync,
  gradient,
  graph,
  greater,
  inferShapes,
  input,
  inPrecision,
  js,
  mean,
  mul,
  optimize,
  param,
  parseGraph,
  exp,
  sub,
  sum,
  take,
  tensor,
  where,
  type Graph,
} from '../../src/index.js';
import { inferTypes } from '../../src/graph/shapes.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { randomGraph } from '../support/random-graph.js';
import { thrownBy } from '../support/thrownBy.js';

const wide = <G extends Graph>(g: G): G => inPrecision(g, 'float64') as G;
const dtypesOf = (g: Graph) => g.outputs.map(({ id }) => inferTypes(g)[id]!.dtype);

describe('inPrecision (F081)', () => {
  it('keeps what float32 loses: 2²⁴ + 1 − 2²⁴', () => {
    const g = graph({ x: input(['n']), big: param(tensor(2 ** 24)) }, ({ x, big }) => ({
      y: sub(sum(add(x, big)), mul(2, big)),
    }));
    expect(evaluateSync(g, { x: [1, 1] }).y.toArray()).to.equal(0);
    const { y } = evaluateSync(wide(g), { x: [1, 1] });
    expect([y.dtype, y.toArray()]).to.deep.equal(['float64', 2]);
  });

  it('takes the feeds and params of the graph as it was, and gives outputs of their names and shapes', () => {
    const g = graph({ x: input(['n', 2]), w: param(tensor([1, 2])) }, ({ x, w }) => ({ y: mul(x, w), x })) as Graph;
    expect([...inferShapes(wide(g), { x: [3, 2] })].filter(([name]) => name === 'x')).to.deep.equal([['x', [3, 2]]]);
    const outputs = evaluateSync(wide(g), { x: [[1, 2]], w: [3, 4] });
    expect(Object.entries(outputs).map(([name, value]) => [name, value.dtype, value.toArray()])).to.deep.equal([
      ['y', 'float64', [[3, 8]]],
      ['x', 'float64', [[1, 2]]],
    ]);
    expect(thrownBy(() => evaluateSync(wide(g), { x: [[1, 2, 3]] })).code).to.equal('E_FEED');
  });

  it('widens constants and casts to float32, and what is made of integers alone', () => {
    const g = graph(
      { i: input([2], { dtype: 'int32' }), c: constant(tensor([0.5, 0.5])) },
      ({ i, c }) => ({ a: mul(cast(i, { dtype: 'float32' }), c), b: div(i, 3), m: mean(i) }),
    ) as Graph; // prettier-ignore
    expect(dtypesOf(g)).to.deep.equal(['float32', 'float32', 'float32']);
    const outputs = evaluateSync(wide(g), { i: [1, 2] });
    expect(Object.values(outputs).map((value) => [value.dtype, value.toArray()])).to.deep.equal([
      ['float64', [0.5, 1]],
      ['float64', [1 / 3, 2 / 3]],
      ['float64', 1.5],
    ]);
  });

  it('leaves integers and booleans, and float64, as they are', () => {
    const g = graph({ x: input([3]), i: input([2], { dtype: 'int32' }), d: input([], { dtype: 'float64' }) }, ({ x, i, d }) => ({
      s: sum(i), g: greater(x, 0), k: argmax(x), t: take(x, i), w: where(greater(x, 0), 1, 0), d: exp(d),
    })) as Graph; // prettier-ignore
    expect(dtypesOf(wide(g))).to.deep.equal(dtypesOf(g).map((dtype) => (dtype === 'float32' ? 'float64' : dtype)));
    const twice = wide(wide(g));
    expect(dtypesOf(twice)).to.deep.equal(dtypesOf(wide(g)));
  });

  it('takes inputs that declare no dtype for numbers', () => {
    const g = parseGraph(JSON.stringify({ tensors: ['x', 'y'], nodes: [{ op: { ElemUnary: { op: 'exp' } }, inputs: [0], outputs: [1] }], inputs: [0], outputs: [1] })); // prettier-ignore
    const [y] = Object.values(evaluateSync(wide(g), { x: [1] }));
    expect([y.dtype, y.toArray()]).to.deep.equal(['float64', [Math.E]]);
  });

  it('is differentiated as any graph: gradients are rounded once, to the dtype of what they are by', () => {
    const g = graph({ x: input([]) }, ({ x }) => ({ y: mul(sub(add(x, 2 ** 24), 2 ** 24), x) }));
    const slope = (of: Graph) => evaluateSync(gradient(of, { of: 'y', wrt: ['x'] }), { x: 1 }).x;
    expect([slope(g).toArray(), slope(wide(g)).toArray(), slope(wide(g)).dtype]).to.deep.equal([1, 2, 'float32']);
  });

  it('refuses other precisions, and graphs in which passes have joined ops', () => {
    const g = graph({ x: input([2]) }, ({ x }) => ({ y: exp(exp(x)) }));
    for (const precision of ['float32', 'float16', undefined])
      expect(thrownBy(() => inPrecision(g, precision as 'float64')).code).to.equal('E_ARGUMENT');
    const error = thrownBy(() => wide(optimize(g).graph as Graph));
    expect([error.code, /before passes join/.test(error.message)]).to.deep.equal(['E_ARGUMENT', true]);
  });

  it('gives float64 wherever a random graph gives float32, and the graph computes as before', () => {
    fc.assert(
      fc.property(randomGraph(), ({ graph: g, feeds }) => {
        const [narrow, widened] = [g, wide(g)].map((each) => evaluateSync(each, feeds, { backend: js() }));
        for (const [name, { dtype, shape }] of Object.entries(narrow)) {
          expect(widened[name].dtype).to.equal(dtype === 'float32' ? 'float64' : dtype);
          expect(widened[name].shape).to.deep.equal(shape);
        }
      }),
      { numRuns: propertyRuns(20, 500, 5000), seed: propertySeed() },
    );
  });
});
