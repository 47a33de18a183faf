import { expect } from 'chai';
import fc from 'fast-check';
import {
  add,
  broadcastTo,
  einsum,
  evaluateSync,
  graph,
  input,
  js,
  mul,
  neg,
  relu,
  reshape,
  sum,
  transpose,
  type Graph,
} from '../../src/index.js';
import { frames } from '../../src/run/admit.js';
import { readSettings } from '../../src/run/options.js';
import { preparedFor } from '../../src/run/run.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { randomGraph } from '../support/random-graph.js';

/** Bytes of intermediate values that one frame of this graph holds. */
function held(g: Graph, feeds: Readonly<Record<string, number[] | number[][]>>, inPlace: 'safe' | 'none'): number {
  const options = { level: 'none', inPlace, backend: js() } as const;
  const prepared = preparedFor(g, options, readSettings(options), false);
  const frame = frames(prepared)(feeds);
  const { bytes } = frame.program.arenas;
  frame.program.arenas.giveBack(frame.lease);
  return bytes;
}

const vector = [1, -2, 3, -4];

describe('in-place computation (F101)', () => {
  it('writes an elementwise result over an operand that ends there', () => {
    const g = graph({ x: input([4]) }, ({ x }) => ({ y: sum(neg(relu(neg(x)))) }));
    expect(held(g, { x: vector }, 'none')).to.equal(2 * 16);
    expect(held(g, { x: vector }, 'safe')).to.equal(16);
    expect(evaluateSync(g, { x: vector }, { level: 'none' }).y.toArray()).to.equal(-6);
  });

  it('leaves an operand that is read again later', () => {
    const g = graph({ x: input([4]) }, ({ x }) => {
      const h = neg(x);
      return { y: sum(add(relu(h), h)) };
    });
    expect(evaluateSync(g, { x: vector }, { level: 'none' }).y.toArray()).to.equal(8);
  });

  it('leaves an operand that a contraction reads in two orders, or sums over', () => {
    const x = [[0, 1], [2, 3]]; // prettier-ignore
    for (const spec of ['ij,ji->ij', 'ij,jk->ik'])
      for (const level of ['none', 'standard'] as const) {
        const g = graph({ x: input([2, 2]) }, ({ x: given }) => {
          const h = sum(reshape(neg(given), { shape: [1, 2, 2] }), { axis: 0 });
          return { y: neg(sum(reshape(add(einsum(spec, h, h), h), { shape: [1, 2, 2] }), { axis: 0 })) };
        });
        const [free, safe] = (['none', 'safe'] as const).map((inPlace) => evaluateSync(g, { x }, { level, inPlace, backend: js() }).y.toArray()); // prettier-ignore
        expect(safe, `${spec} ${level}`).to.deep.equal(free);
      }
  });

  it('leaves an operand that another operand sees in another order', () => {
    const g = graph({ x: input([2, 2]) }, ({ x }) => {
      const h = neg(x);
      return { y: reshape(add(h, transpose(h)), { shape: [4] }) };
    });
    expect(
      evaluateSync(
        g,
        {
          x: [
            [1, 2],
            [3, 4],
          ],
        },
        { level: 'none' },
      ).y.toArray(),
    ).to.deep.equal([-2, -5, -5, -8]);
  });

  it('leaves an operand that is smaller than the result', () => {
    const g = graph({ x: input([2]), b: input([2, 2]) }, ({ x, b }) => ({
      y: sum(mul(broadcastTo(neg(x), { shape: [2, 2] }), neg(b))),
    }));
    expect(
      evaluateSync(
        g,
        {
          x: [1, 2],
          b: [
            [1, 2],
            [3, 4],
          ],
        },
        { level: 'none' },
      ).y.toArray(),
    ).to.equal(16);
  });

  it('never writes to feeds', () => {
    const g = graph({ x: input([4]) }, ({ x }) => ({ y: sum(neg(x)) }));
    const x = new Float32Array(vector);
    evaluateSync(g, { x }, { level: 'none' });
    expect([...x]).to.deep.equal(vector);
  });

  it('changes no bit of any result', () => {
    fc.assert(
      fc.property(randomGraph(), ({ graph: g, feeds }) => {
        const bits = (inPlace: 'safe' | 'none') =>
          Object.values(evaluateSync(g, feeds, { level: 'none', inPlace })).map(({ data }) => [...data].map(String));
        expect(bits('safe')).to.deep.equal(bits('none'));
      }),
      { seed: propertySeed(), numRuns: propertyRuns(40, 1000, 20_000) },
    );
  });
});
