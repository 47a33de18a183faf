/** @file `minibatches`: a stream of batches that a seed decides (N11). */
import { expect } from 'chai';
import fc from 'fast-check';
import { from, lastValueFrom, take, toArray } from 'rxjs';
import {
  arange,
  minibatches,
  parseState,
  reshape,
  serializeState,
  tensor,
  train,
  transpose,
  type MinibatchOptions,
  type Tensor,
} from '../../src/index.js';
import { runBundled } from '../support/bundled.js';
import { isLarge, propertyRuns, propertySeed } from '../support/property.js';
import { thrownBy } from '../support/thrownBy.js';
import { layers, optimizers, waves } from './models.js';

const rowsOf = (count: number) => ({ x: reshape(arange(3 * count), { shape: [count, 3] }), t: arange(count) });
const listed = (batches: Iterable<{ readonly t: Tensor }>) => [...batches].map(({ t }) => t.toArray() as number[]);

describe('minibatches', () => {
  it('go through all rows once an epoch, the last batch with what is left', () => {
    expect(listed(minibatches(rowsOf(5), { size: 2, shuffle: false }))).to.deep.equal([[0, 1], [2, 3], [4]]);
    expect(listed(minibatches(rowsOf(5), { size: 2, shuffle: false, dropLast: true }))).to.deep.equal([[0, 1], [2, 3]]); // prettier-ignore
    expect(listed(minibatches(rowsOf(2), { size: 9, epochs: 2, shuffle: false }))).to.deep.equal([[0, 1], [0, 1]]); // prettier-ignore
    expect(listed(minibatches(rowsOf(2), { size: 1, epochs: 0 }))).to.deep.equal([]);
    const { perEpoch } = minibatches(rowsOf(5), { size: 2, epochs: Infinity });
    expect([perEpoch, minibatches(rowsOf(5), { size: 2, dropLast: true }).perEpoch]).to.deep.equal([3, 2]);
  });

  it('keep the rows of all tensors together, whatever their layout and type, in an order of each epoch', () => {
    const data = {
      x: transpose(reshape(arange(12), { shape: [3, 4] })), // strided: row k is [k, k + 4, k + 8]
      t: tensor(new Int32Array([0, 1, 2, 3])),
      long: tensor([0n, 10n, 20n, 30n]),
      wide: reshape(arange(4), { shape: [4, 1, 1] }),
    };
    const seen: number[][] = [[], []];
    let at = 0;
    for (const { x, t, long, wide } of minibatches(data, { size: 3, epochs: 2, seed: 1 })) {
      (t.toArray() as number[]).forEach((row, k) => {
        expect((x.toArray() as number[][])[k]).to.deep.equal([row, row + 4, row + 8]);
        expect((long.toArray() as unknown as bigint[])[k]).to.equal(BigInt(row) * 10n);
        expect((wide.toArray() as number[][][])[k]).to.deep.equal([[row]]);
        seen[at >> 1].push(row);
      });
      expect([t.dtype, wide.shape.length]).to.deep.equal(['int32', 3]);
      at++;
    }
    expect(seen.map((rows) => [...rows].sort())).to.deep.equal([[0, 1, 2, 3], [0, 1, 2, 3]]); // prettier-ignore
    expect(seen[0]).to.not.deep.equal(seen[1]);
  });

  it('are the same stream from any place on, counted in batches or by epoch (N11)', () => {
    const property = fc.property(
      fc.record({
        rows: fc.integer({ min: 1, max: 20 }),
        size: fc.integer({ min: 1, max: 7 }),
        epochs: fc.integer({ min: 1, max: 4 }),
        seed: fc.maxSafeInteger(),
        shuffle: fc.boolean(),
        dropLast: fc.boolean(),
        place: fc.nat(),
      }),
      ({ rows, place, ...options }) => {
        fc.pre(!options.dropLast || rows >= options.size);
        const whole = minibatches(rowsOf(rows), options);
        const [all, again] = [listed(whole), listed(whole)];
        expect(again, 'each walk begins anew').to.deep.equal(all);
        const behind = place % (all.length + 2);
        const rest = all.slice(behind);
        expect(listed(minibatches(rowsOf(rows), { ...options, from: behind }))).to.deep.equal(rest);
        const [epoch, batch] = [Math.floor(behind / whole.perEpoch), behind % whole.perEpoch];
        expect(listed(minibatches(rowsOf(rows), { ...options, from: { epoch, batch } }))).to.deep.equal(rest);
      },
    );
    fc.assert(property, { seed: propertySeed(), numRuns: propertyRuns(50, 1_000, 20_000) });
  });

  it('take training up where its saved state stopped: the whole is bit for bit the uninterrupted run (N11, F011)', async () => {
    const data = { x: waves([23, 3], 1), t: waves([23, 2], 7) };
    const options = { loss: 'loss', optimizer: optimizers['adam'], accumulate: 2 };
    const order: MinibatchOptions = { size: 5, epochs: 3, seed: 11 };
    const whole = await lastValueFrom(from(minibatches(data, order)).pipe(train(layers, options), toArray()));
    for (const stopped of [whole[0], whole[3]]) {
      const state = parseState(serializeState(stopped.state));
      const rest$ = from(minibatches(data, { ...order, from: state.batches })).pipe(
        train(layers, { ...options, state }),
        toArray(),
      );
      expect(serializeState((await lastValueFrom(rest$)).at(-1)!.state)).to.deep.equal(serializeState(whole.at(-1)!.state));
    }
  });

  it('are made as they are asked for: an endless stream, of which two are taken', async () => {
    const three = await lastValueFrom(from(minibatches(rowsOf(4), { size: 3, epochs: Infinity })).pipe(take(3), toArray()));
    expect(three.map(({ t }) => t.size)).to.deep.equal([3, 1, 3]);
  });

  it('are the same in another process (N11)', function () {
    if (!isLarge()) this.skip(); // it is bundled and started first
    const theirs: unknown = JSON.parse(runBundled('spec/support/children/batches.ts'));
    expect(theirs).to.deep.equal(listed(minibatches({ t: arange(50) }, { size: 7, epochs: 3, seed: 99 })));
  });

  it('refuse what cannot be batches', () => {
    const refused = (data: unknown, options: unknown): string => {
      const { code, message } = thrownBy(() => minibatches(data as never, options as never));
      return `${code} ${message}`;
    };
    const rows = rowsOf(3);
    for (const [options, what] of [
      [null, /options are one object; got null/],
      [{ size: 0 }, /size must be an integer ≥ 1; got 0/],
      [{ size: 1.5 }, /size must be an integer ≥ 1; got 1.5/],
      [{}, /size must be an integer ≥ 1; got undefined/],
      [{ size: 1, epochs: -1 }, /epochs must be an integer ≥ 0, or Infinity; got -1/],
      [{ size: 1, seed: 0.5 }, /seed must be an integer; got 0.5/],
      [{ size: 1, shuffle: 'yes' }, /shuffle is true or false; got "yes"/],
      [{ size: 1, dropLast: 1 }, /dropLast is true or false; got 1/],
      [{ size: 1, from: -1 }, /from is a number of batches ≥ 0, or \{ epoch, batch \}; got -1/],
      [{ size: 1, from: { epoch: 1 } }, /from is a number of batches/],
      [{ size: 1, epoch: 2 }, /an option must be known.*got "epoch"/],
      [{ size: 4, dropLast: true }, /an epoch has at least one batch; got size 4 of 3 rows, dropLast/],
    ] as const)
      expect(refused(rows, options)).to.match(/^E_ARGUMENT/).and.match(what); // prettier-ignore
    for (const [data, what] of [
      [null, /E_ARGUMENT.*data are tensors by name/],
      [{}, /E_ARGUMENT.*at least one row; got no tensors/],
      [{ x: tensor([]) }, /E_ARGUMENT.*at least one row; got "x" without rows/],
      [{ x: tensor(1) }, /E_ARGUMENT.*"x" must have rows.*got a scalar/],
      [{ x: tensor([1, 2]), t: tensor([1]) }, /E_SHAPE.*as many rows; expected 2 \("x"\), got 1 \("t"\)/],
    ] as const)
      expect(refused(data, { size: 1 })).to.match(what);
  });
});
