/** @file Feeds that share memory, lie anyhow and must stay as they are; intermediate values that share buffers. */
import { expect } from 'chai';
import fc from 'fast-check';
import { add, evaluateSync, graph, input, js, mul, neg, transpose, type ComputedDType, type Tensor } from '../../src/index.js';
import { sliceView, range, reversed, transposeView } from '../../src/tensor/index.js';
import { tensorOver } from '../../src/tensor/tensor.js';
import { anyLie, lying, type Lie } from '../support/anyLayout.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { randomGraph } from '../support/random-graph.js';
import { differentBits } from '../support/sameBits.js';

const generated = js({ kernels: 'generate' });
const interpreted = js({ kernels: 'interpret' });
/** The first computes each value into a buffer of its own kind of life; the others share, fuse and write in place. */
const WAYS = [
  { backend: interpreted, level: 'none', inPlace: 'none' },
  { backend: generated, level: 'none', inPlace: 'safe' },
  { backend: generated, level: 'standard', inPlace: 'safe' },
  { backend: interpreted, level: 'standard', inPlace: 'safe' },
] as const;

describe('memory that is shared (N9)', function () {
  this.timeout(300_000); // at its full size
  it('changes no bit: random graphs on feeds of any layout, buffers shared or not, and no feed is written', () => {
    let values = 0;
    fc.assert(
      fc.property(randomGraph(), fc.array(anyLie(), { minLength: 4, maxLength: 4 }), ({ graph: made, feeds }, lies) => {
        const laid = Object.entries(feeds).map(
          ([name, t], k) => [name, lying(t.shape, t.dtype as ComputedDType, lies[k % 4])] as const,
        );
        const given = Object.fromEntries(laid);
        const before = laid.map(([, t]) => t.buffer.array.slice());
        const [want, ...others] = WAYS.map((options): Readonly<Record<string, Tensor>> => evaluateSync(made, given, options));
        for (const [k, got] of others.entries()) {
          for (const [name, value] of Object.entries(want)) {
            values++;
            expect(differentBits(got[name], value), `${name}, way ${k + 1}`).to.equal(undefined);
            for (const [, feed] of laid) expect(got[name].buffer.array, 'an output is a copy').to.not.equal(feed.buffer.array);
          }
        }
        laid.forEach(([, t], k) => expect(t.buffer.array).to.deep.equal(before[k]));
      }),
      { seed: propertySeed(), numRuns: propertyRuns(40, 2_000, 20_000) },
    );
    console.log(`      ${values} values compared`);
  });

  it('may be several feeds at once: overlapping views of one buffer, forwards and backwards', () => {
    const base = tensorOver(Float32Array.of(1, 2, 3, 4, 5, 6), 'float32', [6]);
    const feeds = { a: sliceView(base, range(0, 4)), b: sliceView(base, range(2, 6)), c: sliceView(sliceView(base, range(1, 5)), reversed) }; // prettier-ignore
    const made = graph({ a: input([4]), b: input([4]), c: input([4]) }, ({ a, b, c }) => ({ y: add(mul(a, b), c), z: neg(a) }));
    for (const options of WAYS) {
      const { y, z } = evaluateSync(made, feeds, options);
      expect(y.toArray()).to.deep.equal([8, 12, 18, 26]);
      expect(z.toArray()).to.deep.equal([-1, -2, -3, -4]);
    }
    expect([...base.data]).to.deep.equal([1, 2, 3, 4, 5, 6]);
  });

  it('of a value seen in another order is not written while it is read', () => {
    const made = graph({ x: input([2, 2]) }, ({ x }) => {
      const h = neg(x);
      return { y: add(mul(h, transpose(h)), h), t: transpose(h) };
    });
    for (const options of WAYS) {
      const { y, t } = evaluateSync(
        made,
        { x: transposeView(tensorOver(Float32Array.of(1, 3, 2, 4), 'float32', [2, 2]), [1, 0]) },
        options,
      );
      expect(y.toArray()).to.deep.equal([[0, 4], [3, 12]]); // prettier-ignore
      expect(t.toArray()).to.deep.equal([[-1, -3], [-2, -4]]); // prettier-ignore
    }
  });
});

const backwards: Lie = { order: 3, gap: 2, flips: 255, repeats: 0, overlaps: null, salt: 1, values: 'special' };

describe('a feed of eight axes', () => {
  it('may run backwards, with gaps, in any order, and have sizes of 0 and 1', () => {
    for (const shape of [
      [2, 1, 2, 1, 3, 1, 2, 2],
      [2, 1, 0, 3, 1, 2, 1, 2],
      [1, 1, 1, 1, 1, 1, 1, 1],
    ]) {
      // prettier-ignore
      for (const dtype of ['float32', 'float64', 'int32', 'bool'] as const) {
        const x = lying(shape, dtype, backwards);
        const made = graph({ x: input(shape, { dtype }) }, (symbols) => ({ y: add(symbols.x, 0), t: transpose(symbols.x) }));
        const [{ y, t }, other] = [evaluateSync(made, { x }, { backend: generated }), evaluateSync(made, { x }, { backend: interpreted })]; // prettier-ignore
        expect([...y.data].map(Number)).to.deep.equal([...x.data].map((value) => Number(value) + 0));
        expect(differentBits(other.y, y)).to.equal(undefined);
        expect(differentBits(transposeView(t), x)).to.equal(undefined);
      }
    }
  });
});
