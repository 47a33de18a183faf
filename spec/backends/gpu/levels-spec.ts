/** @file Folds of very many terms: exact to float32, by more than one thread, and without a trace on the device. */
import { expect } from 'chai';
import {
  argmax,
  einsum,
  evaluate,
  full,
  graph,
  input,
  logsumexp,
  max,
  mean,
  min,
  mul,
  prod,
  softmax,
  sum,
  tensor,
} from '../../../src/index.js';
import { gpuStatistics } from '../../../src/gpu.js';
import { inGpuModes } from '../../support/gpuModes.js';

const MILLION = 1e6;
const ops = graph({ x: input([MILLION]) }, ({ x }) => ({
  sum: sum(x),
  mean: mean(x),
  max: max(x),
  min: min(x),
  argmax: argmax(x, { axis: 0 }),
  square: einsum('i,i->', x, x),
  logsumexp: logsumexp(x, { axis: 0 }),
}));
const extremes = graph({ x: input([5000]) }, ({ x }) => ({ sum: sum(x), max: max(x), argmax: argmax(x, { axis: 0 }) }));
const product = graph({ x: input([5000]) }, ({ x }) => ({ y: prod(x) }));
const rows = graph({ x: input([2, 5003]) }, ({ x }) => ({ y: sum(mul(softmax(x, { axis: 1 }), 3), { axis: 1 }) }));
const columns = graph({ x: input([5000, 260]) }, ({ x }) => ({ y: sum(x, { axis: 0 }) }));

inGpuModes(
  (mode) => `folds of many terms on gpu, mode ${mode}`,
  (backend) => {
    const options = () => ({ backend: backend(), fallback: 'never' as const });

    it('of a million tenths are as exact as float32', async () => {
      const elements = new Float32Array(MILLION).fill(0.1);
      elements[765_432] = 0.5;
      elements[900_000] = 0.5;
      elements[123_456] = -2;
      const tenth = Math.fround(0.1);
      const total = tenth * (MILLION - 3) - 1;
      const outputs = await evaluate(ops, { x: tensor(elements) }, options());
      const value = (name: string): number => Number(outputs[name].data[0]);
      expect(value('sum')).to.be.closeTo(total, total * 1e-6);
      expect(value('mean')).to.be.closeTo(total / MILLION, 1e-7);
      expect([value('max'), value('min'), value('argmax')]).to.deep.equal([0.5, -2, 765_432]);
      expect(value('square')).to.be.closeTo(tenth ** 2 * (MILLION - 3) + 4.5, 0.02);
      expect(value('logsumexp')).to.be.closeTo(
        Math.log(Math.exp(tenth) * (MILLION - 3) + 2 * Math.exp(0.5) + Math.exp(-2)),
        1e-4,
      );
    });

    it('are products, groups of folds, and few or many groups', async () => {
      const x = full([5000], 1);
      expect((await evaluate(product, { x }, options())).y.toArray()).to.equal(1);
      const soft = await evaluate(rows, { x: tensor(Float32Array.from({ length: 10_006 }, (_, i) => i % 7), { shape: [2, 5003] }) }, options()); // prettier-ignore
      for (const each of soft.y.data) expect(each).to.be.closeTo(3, 1e-5);
      const many = await evaluate(columns, { x: full([5000, 260], 0.1) }, options());
      for (const each of many.y.data) expect(each).to.be.closeTo(500, 5e-4);
    });

    it('let NaN and infinities through', async () => {
      const elements = new Float32Array(5000);
      const value = async (special: number) => {
        elements[4321] = special;
        const outputs = await evaluate(extremes, { x: tensor(elements) }, options());
        return ['sum', 'max', 'argmax'].map((name) => outputs[name].data[0]);
      };
      expect(await value(Infinity)).to.deep.equal([Infinity, Infinity, 4321]);
      expect((await value(NaN)).slice(0, 2)).to.deep.equal([NaN, NaN]);
    });

    it('leave nothing on the device but constants', () => {
      const { handles, uploads } = gpuStatistics(backend());
      expect(handles).to.equal(uploads);
    });
  },
);
