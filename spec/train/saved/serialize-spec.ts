/** @file `serializeState` and `parseState`: a training that ends, and goes on elsewhere as if it had not. */
import { expect } from 'chai';
import fc from 'fast-check';
import { js, parseState, serializeState, slice, range, tensor, wasm, wrap, zeros, type TrainState } from '../../../src/index.js';
import { differentBits } from '../../support/sameBits.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { thrownBy } from '../../support/thrownBy.js';
import { batchesOf, optimizers, trained } from '../models.js';

const moved = (state: TrainState): TrainState => parseState(serializeState(state));

/** Version 1, as it was first written. */
const FIRST =
  '65696e737461746501000000b10000007b2273746570223a332c2262617463686573223a342c226f7074696d697a6572223a22736764222c226c' +
  '6f73735363616c65223a312c22737465616479223a332c226e6f746573223a7b2273656564223a377d2c22706172616d73223a7b2277223a7b22' +
  '6474797065223a22666c6f61743332222c227368617065223a5b325d7d2c2262223a7b226474797065223a22666c6f61743634222c2273686170' +
  '65223a5b5d7d7d2c22736c6f7473223a7b7d7d000000000000000000c03f000000809a9999999999b93f494ab08b';

const state: TrainState = {
  step: 3,
  batches: 4,
  optimizer: 'sgd',
  lossScale: 1,
  steady: 3,
  notes: { seed: 7 },
  params: { w: tensor([1.5, -0]), b: tensor(0.1, { dtype: 'float64' }) },
  slots: {},
};

describe('a saved state', () => {
  it('resumed at step k gives the losses and params of the uninterrupted run, bit for bit (F011)', async () => {
    const property = fc.asyncProperty(
      fc.record({
        name: fc.constantFrom(...Object.keys(optimizers)),
        accumulate: fc.integer({ min: 1, max: 3 }),
        lossScale: fc.constantFrom(1, 1024),
        count: fc.integer({ min: 2, max: 5 }),
        at: fc.nat(),
      }),
      async ({ name, accumulate, lossScale, count, at }) => {
        const options = { optimizer: optimizers[name], accumulate, lossScale };
        const batches = batchesOf(count * accumulate);
        const whole = await trained(batches, options);
        const cut = whole[at % (count - 1)].state;
        const rest = await trained(batches.slice(cut.batches), { ...options, state: moved(cut) });
        expect(rest.map(({ step, loss, gradientNorm }) => [step, loss, gradientNorm])).to.deep.equal(
          whole.slice(cut.step).map(({ step, loss, gradientNorm }) => [step, loss, gradientNorm]),
        );
        expect(serializeState(rest.at(-1)!.state)).to.deep.equal(serializeState(whole.at(-1)!.state));
      },
    );
    await fc.assert(property, { seed: propertySeed(), numRuns: propertyRuns(4, 100, 1000) });
  });

  it('moves from one backend to another and back: js and wasm read the same bytes', async () => {
    const [here, there] = [js(), await wasm()];
    const batches = batchesOf(6);
    const first = (await trained(batches.slice(0, 2), { backend: here })).at(-1)!.state;
    const bytes = serializeState(first);
    const onWasm = await trained(batches.slice(2), { backend: there, state: parseState(bytes) });
    const back = moved(onWasm[1].state);
    expect(serializeState(back)).to.deep.equal(serializeState(onWasm[1].state));
    const onJs = await trained(batches.slice(4), { backend: here, state: back });
    expect(onJs.map(({ step }) => step)).to.deep.equal([5, 6]);
    onJs.forEach(({ loss }, at) => expect(loss).to.be.closeTo(onWasm[2 + at].loss, 1e-5));
    // Nothing of a backend is in them: a state that wasm only carried is the same bytes.
    const carried = there.upload(first.params['w1']);
    expect(serializeState({ ...first, params: { ...first.params, w1: carried } })).to.deep.equal(bytes);
    await there.close();
  });

  it('keeps every bit: NaN payloads, −0, scalars, empty tensors, views and storage types, under any name', () => {
    const payload = new Float32Array(new Uint32Array([0x7fc12345, 0x80000000, 0x7f800000]).buffer);
    const params = Object.fromEntries([
      ['payload', wrap(payload)],
      ['scalar', tensor(5, { dtype: 'float64' })],
      ['empty', zeros([0, 3])],
      ['view', slice(tensor([[1, 2, 3], [4, 5, 6]]), null, range(null, null, 2))], // prettier-ignore
      ['half', tensor(new Uint16Array([0x3f80, 0xc000]), { dtype: 'bfloat16' })],
      ['long', tensor([2n ** 60n, -1n])],
      ['__proto__', tensor([1])],
      ['7', tensor([7])],
      ['\u0000 "\\ \ud83d\ude00', tensor([2])],
    ]);
    const back = moved({ ...state, params, slots: { '__proto__ mean': tensor(3) } });
    expect(Object.keys(back.params).sort()).to.deep.equal(Object.keys(params).sort());
    for (const [name, value] of Object.entries(params)) expect(differentBits(back.params[name], value), name).to.equal(undefined);
    expect(new Uint32Array((back.params['payload'].data as Float32Array).slice().buffer)[0]).to.equal(0x7fc12345);
    expect(Object.getPrototypeOf(back.params)).to.equal(Object.prototype);
    expect(back.slots['__proto__ mean'].toArray()).to.equal(3);
  });

  it('keeps counts, the scale and notes, and is frozen', () => {
    const back = moved({ ...state, lossScale: 0.5, notes: { seed: 7, rate: -0, odd: NaN, list: [1, 'two', null] } });
    expect([back.step, back.batches, back.optimizer, back.lossScale, back.steady]).to.deep.equal([3, 4, 'sgd', 0.5, 3]);
    expect({ ...back.notes }).to.deep.equal({ seed: 7, rate: -0, odd: NaN, list: [1, 'two', null] });
    expect([back, back.params, back.slots, back.notes].every(Object.isFrozen)).to.equal(true);
    expect('notes' in moved({ ...state, notes: undefined })).to.equal(false);
  });

  it('shares no memory with its bytes, and lies anywhere in a buffer', () => {
    const bytes = serializeState(state);
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    const back = parseState(shifted.subarray(3));
    shifted.fill(0);
    expect(serializeState(back)).to.deep.equal(bytes);
  });

  it('is read as long as its version is (C7)', () => {
    const bytes = serializeState(state);
    expect(Buffer.from(bytes).toString('hex')).to.equal(FIRST);
    expect(serializeState(parseState(Uint8Array.from(Buffer.from(FIRST, 'hex'))))).to.deep.equal(bytes);
  });

  it('is refused where it is none', () => {
    for (const [broken, what] of [
      [null, /a state is one object; got null/],
      [{ ...state, step: -1 }, /"step" of a state counts steps; got -1/],
      [{ ...state, batches: undefined }, /"batches" of a state counts batches; got undefined/],
      [{ ...state, lossScale: Infinity }, /"lossScale" of a state is a number above 0/],
      [{ ...state, params: { w: [1] } }, /"params" of a state are tensors by name/],
      [{ ...state, notes: 'seed' }, /"notes" of a state is one object/],
      [{ ...state, notes: { seed: () => 1 } }, /"notes": .* a plain value/],
    ] as const) {
      const error = thrownBy(() => serializeState(broken as never));
      expect(error.code).to.equal('E_ARGUMENT');
      expect(error.message).to.match(what);
    }
  });
});
