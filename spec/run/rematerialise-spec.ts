/** @file Values are computed again where that is what it takes to fit into a limit: less memory is held, and no bit differs. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  estimateMemory,
  evaluateSync,
  gradient,
  graph,
  input,
  js,
  matmul,
  named,
  nodeCount,
  nodeOf,
  nodesOf,
  ones,
  param,
  rematerialise,
  serializeGraph,
  sin,
  sum,
  tanh,
  validate,
  type Feeds,
  type Graph,
  type GraphSymbol,
} from '../../src/index.js';
import { withCopies } from '../../src/passes/rematerialise.js';
import { isLarge, propertyRuns, propertySeed } from '../support/property.js';
import { randomGraph } from '../support/random-graph.js';
import { differentBits } from '../support/sameBits.js';
import { sizedDag } from '../support/sized-dag.js';
import { thrownBy } from '../support/thrownBy.js';
import { weighed } from '../support/weighed.js';

const chain = (count: number): Graph =>
  graph({ x: input([1000]) }, ({ x }) => {
    let y: GraphSymbol = x;
    for (let at = 0; at < count; at++) y = named(`h${at}`, sin(y));
    return { y: sum(y) };
  });

const layers = (count: number): Graph =>
  graph({ x: input([10, 100]), w: param(ones([100, 100])) }, ({ x, w }) => {
    let y: GraphSymbol = x;
    for (let at = 0; at < count; at++) y = tanh(matmul(y, w));
    return { y: sum(y) };
  });

const wide = { x: Float32Array.from({ length: 1000 }, (_, i) => i / 1000) };

const errorsOf = (g: Graph) => validate(g).filter(({ severity }) => severity === 'error');

/** Bytes that are allocated for a frame. */
function taken(g: Graph, feeds: Feeds, level: 'none' | 'standard'): number {
  const { backend, taken: bytes } = weighed();
  evaluateSync(g, feeds, { backend, level });
  return bytes();
}

describe('rematerialise', () => {
  const cases: readonly (readonly [string, Graph, Feeds, number])[] = [
    ['a chain', gradient(chain(64), { of: 'y', wrt: ['x'], value: true }), wide, 0.3],
    ['layers', gradient(layers(isLarge() ? 64 : 16), { of: 'y', wrt: ['x'], value: true }), wide, 0.5],
    [
      'a random graph',
      gradient(sizedDag(1, isLarge() ? 100 : 40), { of: 'y', wrt: ['x'], value: true }),
      { x: ones([16, 32]) },
      0.8,
    ],
  ];
  for (const [name, g, feeds, share] of cases)
    for (const level of ['none', 'standard'] as const)
      it(`runs the gradient of ${name} in ${100 * share} % of its intermediate memory at ${level}, bit for bit the same`, () => {
        const options = { backend: js(), level } as const;
        const { peakBytes, inputBytes, outputBytes } = estimateMemory(g, {}, options);
        const fixed = inputBytes + outputBytes;
        const memoryLimit = Math.floor(fixed + share * (peakBytes - fixed));
        const less = rematerialise(g, {}, { ...options, memoryLimit });
        expect(errorsOf(less)).to.deep.equal([]);
        expect(nodeCount(less)).to.be.greaterThan(nodeCount(g));
        expect(estimateMemory(less, {}, options).peakBytes).to.be.at.most(memoryLimit);
        expect(taken(less, feeds, level)).to.be.at.most(memoryLimit - inputBytes);
        expect(taken(g, feeds, level)).to.be.greaterThan(memoryLimit - inputBytes);
        const [want, got] = [g, less].map((each) => evaluateSync(each, feeds, options));
        expect(Object.keys(got)).to.deep.equal(Object.keys(want));
        for (const key of Object.keys(want)) expect(differentBits(got[key], want[key]), key).to.equal(undefined);
        // It may run under the limit that it was made for, and the graph as it was may not.
        expect(() => evaluateSync(less, feeds, { ...options, memoryLimit })).to.not.throw();
        expect(thrownBy(() => evaluateSync(g, feeds, { ...options, memoryLimit })).code).to.equal('E_OOM');
      });

  it('gives a graph back as it is where that fits', () => {
    const g = chain(8);
    const { peakBytes } = estimateMemory(g, {}, { backend: js() });
    expect(rematerialise(g, {}, { backend: js(), memoryLimit: peakBytes })).to.equal(g);
  });

  it('says E_OOM with both numbers where nothing helps, and refuses limits that are none', () => {
    const g = gradient(chain(16), { of: 'y', wrt: ['x'] });
    const { code, message } = thrownBy(() => rematerialise(g, {}, { backend: js(), level: 'none', memoryLimit: 9000 }));
    expect(code).to.equal('E_OOM');
    expect(message).to.match(/at most 8\.79 KiB \(9000 bytes\).*\(\d+ bytes\) at least/s);
    for (const memoryLimit of [0, NaN, Infinity, -1])
      expect(thrownBy(() => rematerialise(g, {}, { memoryLimit })).code).to.equal('E_ARGUMENT');
  });

  it('puts marked copies before late readers, and leaves names, inputs and outputs', () => {
    const g = gradient(chain(3), { of: 'y', wrt: ['x'] });
    const lines = (of: Graph): string[] => serializeGraph(of, 'ascii').trimEnd().split('\n').map((line) => line.replace(/ +/g, ' ')); // prettier-ignore
    const chosen = new Uint8Array(g.size);
    for (const { id, op } of nodesOf(g)) chosen[id] = op === 'sin' ? 1 : 0;
    const { graph: more, copied } = withCopies(g, { chosen, window: 3 });
    const ops = (of: Graph): readonly string[] => lines(of).map((line) => line.replace(/_\d+/g, ''));
    expect(ops(g).slice(5)).to.deep.equal([
      'cos = cos(h1)',
      'mulNoNan = mulNoNan(broadcastTo, cos)',
      'cos = cos(h0)',
      'mulNoNan = mulNoNan(mulNoNan, cos)',
      'cos = cos(x)',
      'x.gradient * = mulNoNan(mulNoNan, cos)', // prettier-ignore
    ]);
    expect(ops(more).slice(5)).to.deep.equal([
      'cos = cos(h1)',
      'mulNoNan = mulNoNan(broadcastTo, cos)',
      'sin = sin(x)',
      'cos = cos(sin)',
      'mulNoNan = mulNoNan(mulNoNan, cos)',
      'cos = cos(x)',
      'x.gradient * = mulNoNan(mulNoNan, cos)', // prettier-ignore
    ]);
    expect(ops(more).slice(0, 5)).to.deep.equal(ops(g).slice(0, 5));
    expect([...nodesOf(more)].filter((node) => 'isRecomputed' in node)).to.have.length(1);
    expect(copied.map((id) => nodeOf(g, id).name)).to.deep.equal(['h0']);
  });

  it('changes no bit of random graphs, whatever is chosen and however near is late (seeded)', () => {
    fc.assert(
      fc.property(
        randomGraph(),
        fc.integer({ min: 1, max: 6 }),
        fc.infiniteStream(fc.boolean()),
        ({ graph: g, feeds }, window, drawn) => {
          const chosen = new Uint8Array(g.size);
          for (const node of nodesOf(g)) chosen[node.id] = 'params' in node && drawn.next().value === true ? 1 : 0;
          const { graph: more } = withCopies(g, { chosen, window });
          expect(errorsOf(more)).to.deep.equal([]);
          for (const level of ['none', 'standard'] as const) {
            const [want, got] = [g, more].map((each) => evaluateSync(each, feeds, { backend: js(), level }));
            expect(Object.keys(got)).to.deep.equal(Object.keys(want));
            for (const key of Object.keys(want)) expect(differentBits(got[key], want[key]), key).to.equal(undefined);
          }
        },
      ),
      { seed: propertySeed(), numRuns: propertyRuns(4, 400, 20_000) },
    );
  });
});
