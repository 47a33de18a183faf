/**
 * @file Threads of the `wasm` backend on a page: the same bits from two as from one, and one where there can be no more.
 */
import { expect } from 'chai';
import { evaluateSync, graph, input, matmul, mul, softmax, sum, tanh, tensor, wasm, type Backend } from '../../../src/index.js';
import { differentBits } from '../../support/sameBits.js';
import { finds } from './finds.js';

const SIZE = 300;
const anything = (salt: number) =>
  tensor(
    Float32Array.from({ length: SIZE * SIZE }, (_, i) => Math.sin(i * salt)),
    { shape: [SIZE, SIZE] },
  );
const g = graph({ a: input([SIZE, SIZE]), b: input([SIZE, SIZE]) }, ({ a, b }) => ({
  product: matmul(a, b),
  chain: tanh(mul(a, b)),
  rows: softmax(a, { axis: 1 }),
  columns: sum(b, { axis: 0 }),
}));
const feeds = { a: anything(1.1), b: anything(0.7) };
const outputsOn = (backend: Backend) => evaluateSync(g, feeds, { backend, fallback: 'never' });

if (finds.wasm) {
  describe('threads of wasm on this page', () => {
    let [one, two]: Backend[] = [];
    before(async () => {
      [one, two] = await Promise.all([wasm(), wasm({ threads: 2 })]);
    });
    after(() => Promise.all([one.close(), two.close()]));

    it('give the bits of one thread', () => {
      const want = outputsOn(one);
      for (const [name, got] of Object.entries(outputsOn(two))) expect(differentBits(got, want[name]), name).to.equal(undefined);
    });

    it(finds.noThreads === undefined ? 'are two when two are asked for' : `are one, because ${finds.noThreads}`, () => {
      const { devices, remarks } = two.capabilities;
      const wanted = finds.noThreads === undefined ? ['2 threads compute'] : ['one thread computes', finds.noThreads];
      expect(devices).to.have.length(finds.noThreads === undefined ? 2 : 1);
      for (const part of wanted) expect(remarks.join(', ')).to.include(part);
    });
  });
}
