/** @file Loss scales that find their size (F012). */
import { expect } from 'chai';
import { from, lastValueFrom, toArray } from 'rxjs';
import { graph, input, lossScale, mean, mul, param, sgd, tensor, train, type TrainOptions } from '../../src/index.js';
import { thrownBy } from '../support/thrownBy.js';
import { batchesOf, optimizers, trained } from './models.js';

// The slope by w is the mean of x: a scale s gives s·x, and the norm squares x, where float32 ends at 3.4e38.
const model = graph({ x: input(['n']), w: param(tensor(0)) }, ({ x, w }) => ({ loss: mean(mul(x, w)) }));
const steps = (xs: readonly number[], options: Partial<TrainOptions>) =>
  lastValueFrom(
    from(xs.map((x) => ({ x: [x] }))).pipe(train(model, { loss: 'loss', optimizer: sgd({ rate: 1 }), ...options }), toArray()),
  );

describe('a loss scale', () => {
  it('changes no bit of a step where nothing overflows and it is a power of two', async () => {
    const batches = batchesOf(4);
    for (const optimizer of Object.values(optimizers)) {
      const [plain, scaled] = [await trained(batches, { optimizer }), await trained(batches, { optimizer, lossScale: 1024 })];
      expect(scaled.map(({ loss }) => loss)).to.deep.equal(plain.map(({ loss }) => loss));
      expect(scaled[3].params['w1'].data).to.deep.equal(plain[3].params['w1'].data);
    }
  });

  it('halves on overflow, leaves that step out, and goes on', async () => {
    const [large, , , ...rest] = await steps([1e37, 1e37, 1e37, 1e37, 1], { lossScale: 1024 });
    expect([large.isSkipped, large.step, large.params['w'].toArray(), large.state.lossScale]).to.deep.equal([true, 0, 0, 512]);
    expect(rest.map(({ isSkipped, state }) => [isSkipped, state.lossScale])).to.deep.equal([[false, 128], [false, 128]].map((each, k) => k === 0 ? [true, 64] : [false, 64])); // prettier-ignore
    expect(rest[1].params['w'].toArray()).to.equal(-1);
    expect(rest[1].state.batches).to.equal(5);
  });

  it('doubles after so many steps without an overflow, where it is dynamic', async () => {
    const scale = lossScale({ start: 4, growEvery: 2 });
    const taken = await steps([1, 1, 1, 1, 1e37, 1, 1], { lossScale: scale });
    expect(taken.map(({ state }) => [state.lossScale, state.steady])).to.deep.equal([[4, 1], [8, 0], [8, 1], [16, 0], [8, 0], [8, 1], [16, 0]]); // prettier-ignore
    expect(taken.map(({ isSkipped }) => isSkipped)).to.deep.equal([false, false, false, false, true, false, false]);
  });

  it('is not to blame once it is 1 or less: then the policy for what is not finite holds', async () => {
    const failure = await steps([Infinity, Infinity, Infinity], { lossScale: 2 }).catch((error: unknown) => error);
    expect(failure).to.have.property('code', 'E_NUMERIC');
    const skipped = await steps([NaN, 1], { lossScale: 1, onNaN: 'skip' });
    expect(skipped.map(({ isSkipped, state }) => [isSkipped, state.lossScale])).to.deep.equal([[true, 1], [false, 1]]); // prettier-ignore
  });

  it('refuses what is none', () => {
    for (const wrong of [0, -1, NaN, Infinity, 'big', null, {}, { start: 1, growEvery: 0 }, { start: 1, growEvery: 1.5 }])
      expect(thrownBy(() => train(model, { loss: 'loss', optimizer: sgd({ rate: 1 }), lossScale: wrong as never })).code).to.equal('E_ARGUMENT'); // prettier-ignore
    expect(thrownBy(() => lossScale({ start: -1 })).message).to.match(/start must be a number above 0; got -1/);
    expect(lossScale({ growEvery: Infinity }).growEvery).to.equal(Infinity);
  });
});
