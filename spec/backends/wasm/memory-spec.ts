/** @file The one memory of a WebAssembly backend: what lies in it, what is free again, and what it refuses. */
import { expect } from 'chai';
import fc from 'fast-check';
import { uploaded, wasmMemory } from '../../../src/backends/wasm/memory.js';
import { flip, tensor, transpose, type Tensor } from '../../../src/index.js';
import { COMPUTED_DTYPES, STORAGE_DTYPES } from '../../../src/tensor/dtype.js';
import { MAX_ELEMENTS } from '../../../src/tensor/shape.js';
import { packed } from '../../../src/tensor/tensor.js';
import { anyTensor } from '../../ops/anyTensor.js';
import { collected } from '../../support/collect.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { thrownBy } from '../../support/thrownBy.js';

const MIB = 2 ** 20;

describe('the memory of a WebAssembly backend', () => {
  it('holds tensors of every dtype: aligned, zero, each in its own bytes', () => {
    const { allocate, owns, addressOf } = wasmMemory(MIB);
    const ends: number[] = [];
    for (const dtype of [...COMPUTED_DTYPES, ...STORAGE_DTYPES]) {
      for (const shape of [[], [0], [3], [2, 5]]) {
        const made = allocate(shape, dtype);
        expect([made.dtype, made.shape, owns(made)]).to.deep.equal([dtype, shape, true]);
        expect([...made.data].map(Number).every((element) => element === 0)).to.equal(true);
        expect(addressOf(made) % 64).to.equal(0);
        expect(addressOf(made), 'behind the padding of the one before').to.be.at.least(
          (ends.at(-1) ?? 0) + (ends.length > 0 ? 64 : 0),
        );
        ends.push(addressOf(made) + made.buffer.array.byteLength);
      }
    }
  });

  it('gives zeros also where something else lay', () => {
    const { allocate, release } = wasmMemory(MIB);
    const first = allocate([100], 'float64');
    first.data.fill(NaN as never);
    release(first);
    expect([...allocate([100], 'float64').data].every((element) => Object.is(element, 0))).to.equal(true);
  });

  it('makes a released tensor and its views stale, and uses their bytes again; a second release is none', () => {
    const { allocate, release, used, addressOf } = wasmMemory(MIB);
    const before = used();
    const [first, other] = [allocate([8], 'float32'), allocate([8], 'float32')];
    const view = flip(first);
    release(first);
    release(first);
    release(view);
    for (const stale of [first, view]) {
      expect(thrownBy(() => stale.data).code).to.equal('E_STALE');
      expect(thrownBy(() => addressOf(stale)).code).to.equal('E_STALE');
    }
    const again = allocate([8], 'float32');
    expect(allocate([8], 'float32').buffer.array.byteOffset).to.not.equal(again.buffer.array.byteOffset);
    expect(other.data).to.have.length(8);
    expect(used() - before).to.equal(3 * 128);
  });

  it('leaves alone what it did not make', () => {
    const [mine, others] = [wasmMemory(MIB), wasmMemory(MIB)];
    const theirs = others.allocate([4], 'int32');
    const host = tensor([1, 2]);
    for (const foreign of [theirs, host]) {
      mine.release(foreign);
      expect(foreign.data).to.have.length(foreign.size);
      expect(mine.owns(foreign)).to.equal(false);
      expect(thrownBy(() => mine.addressOf(foreign)).code).to.equal('E_BACKEND');
    }
  });

  it('is free again when the last array over it is garbage, and not before', async () => {
    const { allocate, used } = wasmMemory(MIB);
    const before = used();
    const kept: unknown[] = [];
    (() => {
      for (let k = 0; k < 50; k++) allocate([64], 'float32');
      kept.push(allocate([64], 'float32').data, transpose(allocate([8, 8], 'float32')));
    })();
    expect(used() - before).to.equal(52 * 320);
    await collected();
    expect(used() - before, 'an array that `data` gave, and a view').to.equal(2 * 320);
    expect(kept).to.have.length(2);
    kept.length = 0;
    await collected();
    expect(used()).to.equal(before);
  });

  it('refuses what does not fit with E_OOM, also many times over, and goes on', () => {
    const { allocate, used, release } = wasmMemory(MIB);
    const before = used();
    for (const shape of [[MIB / 4], [2 ** 29], [2 ** 30 + 1], [MAX_ELEMENTS]]) {
      const error = thrownBy(() => allocate(shape, 'float32'));
      expect(error.code).to.equal('E_OOM');
      expect(error.message).to.match(/at most 1 MiB in all/);
    }
    expect(used(), 'nothing was taken').to.equal(before);
    const all: Tensor[] = [];
    const fill = (): void => {
      for (;;) all.push(allocate([1000], 'float32'));
    };
    expect(thrownBy(fill).code).to.equal('E_OOM');
    expect(all.length).to.equal(Math.floor((MIB - 128) / 4096));
    release(all[3]);
    expect(allocate([1000], 'float32').size).to.equal(1000);
    expect(thrownBy(() => allocate([1000], 'float32')).code).to.equal('E_OOM');
  });

  it('refuses shapes and dtypes that are none before it takes anything', () => {
    const { allocate, used } = wasmMemory(MIB);
    const before = used();
    for (const shape of [[-1], [0.5], [NaN], ['2']])
      expect(thrownBy(() => allocate(shape as number[], 'int32')).code).to.equal('E_SHAPE');
    expect(thrownBy(() => allocate([MAX_ELEMENTS, 2], 'int32')).code).to.equal('E_LIMIT');
    for (const dtype of ['float31', 'toString', null])
      expect(thrownBy(() => allocate([1], dtype as never)).code).to.equal('E_DTYPE');
    expect(used()).to.equal(before);
  });

  it('lends regions that come back once', () => {
    const { borrow, used } = wasmMemory(MIB);
    const before = used();
    const [first, second] = [borrow(10), borrow(10)];
    first.release();
    first.release();
    expect(used() - before).to.equal(128);
    second.release();
    expect(used()).to.equal(before);
  });

  it('takes any tensor in: packed by `uploaded`, as it lies by `bring`', () => {
    const { bring, owns, used, memory } = wasmMemory(MIB);
    const other = wasmMemory(MIB);
    fc.assert(
      fc.property(anyTensor(), (given) => {
        const copy = uploaded(other, given);
        expect([copy.dtype, copy.shape, copy.isContiguous]).to.deep.equal([given.dtype, given.shape, true]);
        expect(copy.toArray()).to.deep.equal(given.toArray());
        other.release(copy);
        const before = used();
        const { address, release } = bring(given);
        const { BYTES_PER_ELEMENT: width } = given.buffer.array;
        expect(owns(given)).to.equal(false);
        expect(used()).to.be.greaterThan(before);
        const Elements = given.buffer.array.constructor as Float64ArrayConstructor;
        // The same walk over the same strides, from the address of the first element.
        const seen: number[] = [];
        const walk = (axis: number, at: number): void => {
          if (axis === given.rank) seen.push(new Elements(memory.buffer, at, 1)[0]);
          else for (let k = 0; k < given.shape[axis]; k++) walk(axis + 1, at + k * given.strides[axis] * width);
        };
        walk(0, address);
        expect(seen).to.deep.equal([...(packed(given) as Float64Array)]);
        release();
        expect(used()).to.equal(before);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(200, 2_000, 20_000) },
    );
  });
});
