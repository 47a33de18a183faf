/** @file A pool of tensors: memory is used again, and has one owner at a time. */
import { expect } from 'chai';
import fc from 'fast-check';
import { EinstreamError, memoryPool, transpose, type DType, type Tensor } from '../../src/index.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { thrownBy } from '../support/thrownBy.js';

const memoryOf = ({ buffer }: Tensor): ArrayBufferLike => buffer.array.buffer;

describe('memoryPool (F073)', () => {
  it('lends memory of a tensor before for the next of its size class, whatever the dtype and shape', () => {
    const pool = memoryPool();
    const first = pool.allocate([3, 5]);
    const memory = memoryOf(first);
    pool.deallocate(first);
    const second = pool.allocate([16], 'int32');
    expect(memoryOf(second)).to.equal(memory);
    expect(second).to.include({ dtype: 'int32', size: 16, isContiguous: true });
    expect(pool.stats()).to.deep.equal({
      allocations: 2,
      reuses: 1,
      releases: 1,
      live: 1,
      liveBytes: 64,
      peak: 64,
      pooledBytes: 0,
      reuseRate: 0.5, // prettier-ignore
    });
    expect(memoryOf(pool.allocate([17], 'int32')).byteLength).to.equal(128);
    expect(pool.stats().peak).to.equal(192);
  });

  it('shows old elements never where zeros were asked for, and makes what was given back stale', () => {
    const pool = memoryPool();
    const first = pool.allocate([4]);
    first.data.fill(7 as never);
    const view = transpose(first);
    pool.deallocate(first);
    expect(pool.allocate([3], 'float32', { zeroed: true }).toArray()).to.deep.equal([0, 0, 0]);
    for (const old of [first, view]) expect(thrownBy(() => old.toArray()).code).to.equal('E_STALE');
  });

  it('refuses what is not out: given back twice, from elsewhere, or no tensor', () => {
    const pool = memoryPool();
    const tensor = pool.allocate([2]);
    pool.deallocate(tensor);
    for (const wrong of [tensor, memoryPool().allocate([2]), {}, undefined])
      expect(thrownBy(() => pool.deallocate(wrong as Tensor)).code).to.equal('E_ARGUMENT');
    expect(thrownBy(() => pool.deallocate(tensor)).message).to.match(/given back once.*before/s);
    expect(pool.stats()).to.include({ releases: 1, live: 0, liveBytes: 0 });
  });

  it('refuses shapes, dtypes and options that are none', () => {
    const pool = memoryPool();
    const codes = [() => pool.allocate([-1]), () => pool.allocate([1], 'float12' as DType), () => pool.allocate([2 ** 31]), () => memoryPool({ maxPerClass: -1 })]; // prettier-ignore
    expect(codes.map((act) => thrownBy(act).code)).to.deep.equal(['E_SHAPE', 'E_DTYPE', 'E_LIMIT', 'E_ARGUMENT']);
    expect(pool.stats().allocations).to.equal(0);
  });

  it('keeps at most `maxPerClass` of a class, and nothing after `clear`', () => {
    const pool = memoryPool({ maxPerClass: 2 });
    const many = Array.from({ length: 5 }, () => pool.allocate([8]));
    many.forEach((tensor) => pool.deallocate(tensor));
    expect(pool.stats().pooledBytes).to.equal(2 * 64);
    const byDefault = memoryPool();
    const hundreds = Array.from({ length: 150 }, () => byDefault.allocate([8]));
    hundreds.forEach((tensor) => byDefault.deallocate(tensor));
    expect(byDefault.stats().pooledBytes).to.equal(100 * 64);
    byDefault.clear();
    byDefault.allocate([8]);
    expect(byDefault.stats()).to.include({ pooledBytes: 0, reuses: 0 });
  });

  it('does not lend memory again that was transferred away', () => {
    const pool = memoryPool();
    const tensor = pool.allocate([16]);
    structuredClone(tensor.data.buffer, { transfer: [tensor.data.buffer as ArrayBuffer] });
    pool.deallocate(tensor);
    expect(pool.stats().pooledBytes).to.equal(0);
    expect(pool.allocate([16]).size).to.equal(16);
  });

  it('has never two live owners of one memory, and its counts add up (seeded)', () => {
    const move = fc.record({ give: fc.boolean(), size: fc.nat(300), pick: fc.nat(), zeroed: fc.boolean() });
    fc.assert(
      fc.property(fc.array(move, { maxLength: 120 }), (moves) => {
        const pool = memoryPool({ maxPerClass: 3 });
        const out = new Map<ArrayBufferLike, Tensor>();
        let mark = 0;
        for (const { give, size, pick, zeroed } of moves) {
          if (give && out.size > 0) {
            const [memory, tensor] = [...out][pick % out.size];
            expect(new Set(tensor.data as Float32Array).size, 'nobody else wrote').to.be.at.most(1);
            out.delete(memory);
            pool.deallocate(tensor);
            continue;
          }
          const tensor = pool.allocate([size], 'float32', { zeroed });
          expect(out.has(memoryOf(tensor))).to.equal(false);
          if (zeroed) expect((tensor.data as Float32Array).every((x) => x === 0)).to.equal(true);
          (tensor.data as Float32Array).fill(++mark);
          out.set(memoryOf(tensor), tensor);
        }
        const { allocations, releases, live, liveBytes, peak, reuses } = pool.stats();
        expect(allocations - releases)
          .to.equal(live)
          .and.to.equal(out.size);
        expect(liveBytes).to.equal([...out.keys()].reduce((sum, { byteLength }) => sum + byteLength, 0));
        expect(peak).to.be.at.least(liveBytes);
        expect(reuses).to.be.at.most(releases);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(200, 2_000, 50_000) },
    );
  });

  it('is told in typed errors alone', () => {
    expect(thrownBy(() => memoryPool({ maxPerClass: 1.5 }))).to.be.instanceOf(EinstreamError);
  });
});
