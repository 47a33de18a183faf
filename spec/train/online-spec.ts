/** @file `trainOnline`: predict, then learn, on a stream whose rule changes (B11). */
import { expect } from 'chai';
import { from, lastValueFrom, map, toArray } from 'rxjs';
import {
  graph,
  input,
  mse,
  mul,
  param,
  parseState,
  serializeState,
  sgd,
  sum,
  tensor,
  trainOnline,
  type TrainState,
} from '../../src/index.js';
import { permutation, streamOf } from '../../src/train/permutation.js';

const model = graph({ x: input([3]), t: input([]), w: param(tensor([0, 0, 0])) }, ({ x, t, w }) => {
  const y = sum(mul(x, w));
  return { y, loss: mse(y, t) };
});
const options = { loss: 'loss', prediction: 'y', optimizer: sgd({ rate: 0.1 }) } as const;

const DRIFT = 400;
const COUNT = 2 * DRIFT;

/** Each frame has numbers of its own; the weights behind the targets turn over in the middle. */
const frames = Array.from({ length: COUNT }, (_, at) => {
  const x = [...permutation(9, streamOf(17, at))].slice(0, 3).map((drawn) => (drawn - 4) / 4);
  const truth = at < DRIFT ? [1, -2, 0.5] : [-1, 0.25, 2];
  return { x, t: x.reduce((total, value, k) => total + value * truth[k], 0) };
});
const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

describe('online learning', () => {
  it('survives drift: errors fall, jump where the rule changes, and fall again', async () => {
    const steps = await lastValueFrom(from(frames).pipe(trainOnline(model, options), toArray()));
    const losses = steps.map(({ loss }) => loss);
    const settled = mean(losses.slice(DRIFT - 50, DRIFT));
    const shaken = mean(losses.slice(DRIFT, DRIFT + 10));
    const recovered = mean(losses.slice(-50));
    console.log(
      `      mean loss: first ten ${mean(losses.slice(0, 10)).toFixed(3)}, before the drift ${settled.toExponential(1)}, after it ${shaken.toFixed(3)}, at the end ${recovered.toExponential(1)}`,
    );
    expect(settled).to.be.lessThan(1e-4);
    expect(shaken).to.be.greaterThan(0.5);
    expect(recovered).to.be.lessThan(1e-4);
    // A model that stopped learning before the drift would go on as badly.
    const frozen = await lastValueFrom(
      from(frames.slice(DRIFT)).pipe(
        trainOnline(model, { ...options, optimizer: sgd({ rate: 0 }), state: steps[DRIFT - 1].state }),
        toArray(),
      ),
    );
    expect(mean(frozen.slice(-50).map(({ loss }) => loss))).to.be.greaterThan(0.5);
  });

  it('predicts with the params before the frame, which then all change at once', async () => {
    const steps = await lastValueFrom(from(frames.slice(0, 20)).pipe(trainOnline(model, options), toArray()));
    let params = tensor([0, 0, 0]);
    steps.forEach(({ prediction, params: next }, at) => {
      const w = params.toArray() as number[];
      expect(prediction!.toArray()).to.be.closeTo(
        frames[at].x.reduce((total, value, k) => total + value * w[k], 0),
        1e-6,
      );
      expect(next['w']).to.not.equal(params);
      params = next['w'];
    });
  });

  it('goes on from its saved state in the middle of the stream, bit for bit', async () => {
    const rest = (state: TrainState) =>
      from(frames.slice(state.batches, 60)).pipe(trainOnline(model, { ...options, state }), map(({ loss }) => loss), toArray()); // prettier-ignore
    const whole = await lastValueFrom(from(frames.slice(0, 60)).pipe(trainOnline(model, options), toArray()));
    const saved = parseState(serializeState(whole[24].state));
    expect(await lastValueFrom(rest(saved))).to.deep.equal(whole.slice(25).map(({ loss }) => loss));
  });
});
