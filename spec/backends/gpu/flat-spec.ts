/** @file Results of four elements a thread are flat arrays: for the host, and for the next kernel on a device. */
import { expect } from 'chai';
import {
  add,
  einsum,
  evaluate,
  exp,
  graph,
  input,
  js,
  matmul,
  mul,
  relu,
  tensor,
  type Feeds,
  type Graph,
} from '../../../src/index.js';
import { flat } from '../../../src/backends/gpu/flat.js';
import { FORMS } from '../../../src/backends/gpu/forms.js';
import { gpuStatistics } from '../../../src/gpu.js';
import { numbers } from '../../bench/numbers.js';
import { inGpuModes } from '../../support/gpuModes.js';

const of = (shape: readonly number[], seed: number) =>
  tensor(numbers(shape.reduce((product, size) => product * size, 1), seed), { shape: [...shape] }); // prettier-ignore

const product = graph({ a: input([64, 40]), b: input([40, 64]) }, ({ a, b }) => ({ y: matmul(a, b) }));
/** Tiles read tiles, and kernels of one element a thread read both. */
const chain = graph({ a: input([64, 40]), b: input([40, 64]), c: input([64]) }, ({ a, b, c }) => {
  const first = relu(add(matmul(a, b), c));
  return { y: exp(mul(einsum('ij,kj->ik', matmul(first, first), first), 1e-3)), z: first };
});

describe('a result of four elements a thread', () => {
  it('is the buffer that the arrays of four look at, or a copy of them', () => {
    const whole = Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    const views = [whole.subarray(0, 4), whole.subarray(4)] as never;
    expect((flat(views, 8) as Float32Array).buffer).to.equal(whole.buffer);
    const apart = [Float32Array.of(1, 2, 3, 4), Float32Array.of(5, 6, 7, 8)] as never;
    expect(flat(apart, 8)).to.deep.equal(whole);
  });
});

inGpuModes(
  (mode) => `contractions in tiles, mode ${mode}`,
  (backend, mode) => {
    const same = async (g: Graph, feeds: Feeds, tolerance: number): Promise<void> => {
      const [got, want] = [
        await evaluate(g, feeds, { backend: backend(), fallback: 'never' }),
        await evaluate(g, feeds, { backend: js() }),
      ];
      for (const name of Object.keys(want)) {
        const [x, y] = [got[name].data as Float32Array, want[name].data as Float32Array];
        x.forEach((value, at) => expect(value, `${name}[${at}]`).to.be.closeTo(y[at], tolerance * Math.max(1, Math.abs(y[at]))));
      }
    };
    const feeds = { a: of([64, 40], 1), b: of([40, 64], 2), c: of([64], 3) };

    it('are read by the host and by further kernels', async () => {
      expect(64 * 64).to.be.at.least(FORMS[mode].tilesFrom);
      await same(product, { a: feeds.a, b: feeds.b }, 1e-5);
      await same(chain, feeds, 1e-5);
    });

    it('leave nothing on the device but constants', () => {
      const { handles, uploads } = gpuStatistics(backend());
      expect(handles).to.equal(uploads);
    });
  },
);
