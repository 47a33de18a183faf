/** @file `accumulate`: gradients of several batches as those of one (F012). */
import { expect } from 'chai';
import { from, lastValueFrom, map, of, toArray } from 'rxjs';
import { accumulate, concat, gradient, run, tensor, type Feeds, type Graph, type Outputs } from '../../src/index.js';
import { marbles } from '../support/marbles.js';
import { thrownBy } from '../support/thrownBy.js';
import { batchesOf, layers, optimizers, trained, type Batch } from './models.js';

const slopes: Graph = gradient(layers, { of: 'loss', wrt: ['w1', 'b1', 'w2'] });
const feeds = map(({ x, t }: Batch): Feeds => ({ x, t }));
const near = (got: Outputs, want: Outputs): void => {
  for (const [name, { data }] of Object.entries(want))
    (data as Float32Array).forEach((value, k) => expect((got[name].data as Float32Array)[k], name).to.be.closeTo(value, 1e-6));
};

describe('accumulate', () => {
  it('makes of the gradients of n batches those of one batch of n times the size', async () => {
    const parts = batchesOf(4);
    const big = { x: concat(parts.map(({ x }) => x), { axis: 0 }), t: concat(parts.map(({ t }) => t), { axis: 0 }) }; // prettier-ignore
    const summed = await lastValueFrom(from(parts).pipe(feeds, run(slopes), accumulate(4)));
    near(summed, await lastValueFrom(of(big).pipe(feeds, run(slopes))));
  });

  it('and train with accumulate does the same, whatever the optimizer', async () => {
    const parts = batchesOf(6);
    const whole = [parts.slice(0, 3), parts.slice(3)].map((group) => ({
      x: concat(group.map(({ x }) => x), { axis: 0 }), // prettier-ignore
      t: concat(group.map(({ t }) => t), { axis: 0 }), // prettier-ignore
    }));
    for (const [name, optimizer] of Object.entries(optimizers)) {
      const [small, large] = [await trained(parts, { optimizer, accumulate: 3 }), await trained(whole, { optimizer })];
      expect(small.map(({ step }) => step), name).to.deep.equal([1, 2]); // prettier-ignore
      small.forEach(({ loss }, k) => expect(loss, name).to.be.closeTo(large[k].loss, 1e-6));
      if (name.startsWith('adam')) continue; // its first steps have the size of the rate whatever the gradient: rounding is not small there
      near(small[1].params, large[1].params);
    }
  });

  it(
    'emits with every n-th record, and what is left at the end',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const gradients$ = cold('a-b-c-|', { a: 1, b: 3, c: 10 });
      const subs = '           ^-----!';
      const expected = '       --x---(y|)';
      const means$ = gradients$.pipe(map((w) => ({ w: tensor(w) })), accumulate(2), map(({ w }) => w.toArray())); // prettier-ignore
      expectObservable(means$).toBe(expected, { x: 2, y: 10 });
      expectSubscriptions(gradients$.subscriptions).toBe(subs);
    }),
  );

  it('refuses a count that is none at the call, and gradients that do not fit on the stream', async () => {
    for (const count of [0, -1, 1.5, NaN, '2']) expect(thrownBy(() => accumulate(count as never)).code).to.equal('E_ARGUMENT');
    const failure = (...records: unknown[]) =>
      lastValueFrom(from(records as Outputs[]).pipe(accumulate(2), toArray())).then(
        () => 'nothing was thrown',
        ({ code, message }: { code: string; message: string }) => `${code} ${message}`,
      );
    const w = tensor([1, 2]);
    expect(await failure({ w }, { w: tensor([1]) })).to.match(/E_SHAPE.*"w".*expected float32 \[2\], got float32 \[1\]/);
    expect(await failure({ w }, { v: w })).to.match(/E_SHAPE.*same names; expected w, got v/);
    expect(await failure({ w }, { w, v: w })).to.match(/E_SHAPE.*same names; expected w, got w, v/);
    expect(await failure({ w: tensor(new Int32Array([1])) })).to.match(/E_DTYPE.*float32 or float64, got int32/);
    expect(await failure({ w: 1 })).to.match(/E_DTYPE.*got 1/);
  });
});
