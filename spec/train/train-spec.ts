/** @file `train`: learning as an operator. */
import { expect } from 'chai';
import { from, lastValueFrom, map, Subject, tap, toArray } from 'rxjs';
import {
  adam,
  adamW,
  crossEntropy,
  graph,
  input,
  js,
  liveMemory,
  matmul,
  add,
  mse,
  mul,
  param,
  sgd,
  tanh,
  tensor,
  train,
  wasm,
  type Optimizer,
  type TrainOptions,
  type TrainStep,
} from '../../src/index.js';

const line = graph({ x: input(['n']), t: input(['n']), w: param(tensor(0)) }, ({ x, t, w }) => ({
  loss: mse(mul(x, w), t),
  y: mul(x, w),
}));
const batch = { x: [1, 2], t: [2, 4] };

const steps = (options: Partial<TrainOptions>, count = 5): Promise<TrainStep[]> =>
  lastValueFrom(
    from(Array.from({ length: count }, () => batch)).pipe(
      train(line, { loss: 'loss', optimizer: sgd({ rate: 0.1 }), ...options }),
      toArray(),
    ),
  );

describe('train', () => {
  it('takes a step for each batch, and tells the loss before it (F011)', async () => {
    const [first, second] = await steps({ prediction: 'y' });
    expect([first.step, first.loss, first.gradientNorm]).to.deep.equal([1, 10, 10]);
    expect(first.params['w'].toArray()).to.equal(1);
    expect(first.prediction!.toArray()).to.deep.equal([0, 0]);
    expect([second.loss, second.prediction!.toArray()]).to.deep.equal([2.5, [1, 2]]);
  });

  it('goes on from a state bit for bit, whatever the optimizer (F011)', async () => {
    const optimizers: readonly Optimizer[] = [
      sgd({ rate: 0.05, momentum: 0.9 }),
      sgd({ rate: 0.05, momentum: 0.9, nesterov: true, weightDecay: 0.01 }),
      adam({ rate: 0.1 }),
      adamW({ rate: 0.1 }),
    ];
    for (const optimizer of optimizers) {
      const whole = await steps({ optimizer }, 6);
      const rest = await steps({ optimizer, state: whole[2].state }, 3);
      expect(rest.map(({ loss }) => loss)).to.deep.equal(whole.slice(3).map(({ loss }) => loss));
      expect(rest[2].params['w'].data).to.deep.equal(whole[5].params['w'].data);
    }
  });

  it('takes n batches for one step as one batch of n times the size (F012)', async () => {
    const big = { x: [1, 2, 1, 2], t: [2, 4, 2, 4] };
    const options = { loss: 'loss', optimizer: sgd({ rate: 0.05, momentum: 0.5 }) } as const;
    const one = await lastValueFrom(from([big, big]).pipe(train(line, options), toArray()));
    const two = await lastValueFrom(
      from([batch, batch, batch, batch]).pipe(train(line, { ...options, accumulate: 2 }), toArray()),
    );
    expect(two.map(({ params }) => params['w'].toArray())).to.deep.equal(one.map(({ params }) => params['w'].toArray()));
  });

  it('gives the same bits where outputs are lent, until the next step is taken (F011)', async () => {
    for (const backend of [js(), await wasm()]) {
      for (const accumulate of [1, 2]) {
        const options = { optimizer: adam({ rate: 0.1 }), prediction: 'y', backend, accumulate };
        const copied = await steps(options, 6);
        const seen: unknown[] = [];
        const lent: TrainStep[] = [];
        const before = liveMemory().frames;
        const again = { ...options, loss: 'loss', outputs: 'borrow' } as const;
        await lastValueFrom(
          from(Array.from({ length: 6 }, () => batch)).pipe(
            train(line, again),
            tap((step) => {
              lent.push(step);
              seen.push([step.loss, step.params['w'].toArray(), step.prediction!.toArray()]);
            }),
          ),
        );
        expect(seen).to.deep.equal(
          copied.map(({ loss, params, prediction }) => [loss, params['w'].toArray(), prediction!.toArray()]),
        );
        for (const { params } of lent) expect(() => params['w'].data, 'read too late').to.throw(/E_STALE|borrowed/);
        expect(liveMemory().frames, 'nothing is kept').to.equal(before);
      }
      await backend.close();
    }
  });

  it('reads params where the step before left them, and copies them for the consumer alone', async () => {
    const backend = await wasm();
    const { owns } = backend;
    const batches = Array.from({ length: 4 }, () => batch);
    const options = { loss: 'loss', optimizer: sgd({ rate: 0.1 }), backend } as const;
    const where = (outputs: 'copy' | 'borrow'): Promise<boolean[]> =>
      lastValueFrom(
        from(batches).pipe(
          train(line, { ...options, outputs }),
          map(({ params }) => owns!(params['w'])),
          toArray(),
        ),
      );
    expect(await where('borrow')).to.deep.equal([true, true, true, true]);
    expect(await where('copy')).to.deep.equal([false, false, false, false]);
    await backend.close();
  });

  it('leaves a step out, and goes on from the params before it, lent or not', async () => {
    for (const outputs of ['copy', 'borrow'] as const) {
      const bad = { x: [NaN, 1], t: [1, 1] };
      const backend = await wasm();
      const seen = await lastValueFrom(
        from([batch, bad, bad, batch]).pipe(
          train(line, { loss: 'loss', optimizer: sgd({ rate: 0.1 }), onNaN: 'skip', outputs, backend }),
          map(({ step, isSkipped, params }) => [step, isSkipped, params['w'].toArray()]),
          toArray(),
        ),
      );
      expect(seen, outputs).to.deep.equal([
        [1, false, 1],
        [1, true, 1],
        [1, true, 1],
        [2, false, 1.5],
      ]);
      await backend.close();
    }
  });

  it('keeps two subscribers apart, and gives memory back when one leaves', async () => {
    const backend = await wasm();
    const before = liveMemory().frames;
    const batches$ = new Subject<typeof batch>();
    const steps$ = batches$.pipe(train(line, { loss: 'loss', optimizer: sgd({ rate: 0.1 }), backend, outputs: 'borrow' }));
    const losses: [number[], number[]] = [[], []];
    const first = steps$.subscribe(({ loss }) => losses[0].push(loss));
    batches$.next(batch);
    const second = steps$.subscribe(({ loss }) => losses[1].push(loss));
    batches$.next(batch);
    first.unsubscribe();
    batches$.next(batch);
    second.unsubscribe();
    expect(losses).to.deep.equal([
      [10, 2.5],
      [10, 2.5],
    ]);
    expect(liveMemory().frames).to.equal(before);
    await backend.close();
  });

  it('refuses outputs of another kind', () => {
    expect(() => train(line, { loss: 'loss', optimizer: sgd({ rate: 1 }), outputs: 'lend' as 'borrow' })).to.throw(/'borrow'/);
  });

  it('learns XOR to a loss below 0.01 (F011)', async () => {
    const start = (shape: number[], seed: number) =>
      tensor(
        Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, k) => Math.sin(12.9898 * (k + seed))),
        { shape },
      );
    const model = graph(
      {
        x: input([4, 2]),
        t: input([4, 2]),
        w1: param(start([2, 8], 1)),
        b1: param(start([8], 30)),
        w2: param(start([8, 2], 50)),
      },
      ({ x, t, w1, b1, w2 }) => ({ loss: crossEntropy(matmul(tanh(add(matmul(x, w1), b1)), w2), t) }),
    );
    const xor = { x: [[0, 0], [0, 1], [1, 0], [1, 1]], t: [[1, 0], [0, 1], [0, 1], [1, 0]] }; // prettier-ignore
    const all = await lastValueFrom(
      from(Array.from({ length: 300 }, () => xor)).pipe(
        train(model, { loss: 'loss', optimizer: adam({ rate: 0.05 }) }),
        toArray(),
      ),
    );
    expect(all.at(-1)!.loss).to.be.below(0.01);
  });
});
