/** @file A workspace: ranges never overlap, every limit is kept, and what is said of it is so. */
import { expect } from 'chai';
import { memoryPool, workspace, WORKSPACE_PRESETS, type Tensor, type Workspace, type WorkspaceBlock, type WorkspaceConfig } from '../../../src/index.js'; // prettier-ignore
import { propertyRuns, propertySeed } from '../../support/property.js';
import { seeded } from '../../support/seeded.js';
import { thrownBy } from '../../support/thrownBy.js';

const STRATEGIES = ['bestFit', 'firstFit', 'exactFit', 'powerOfTwo'] as const;

/** Blocks that are out, by address, so that neighbours are found at once. */
function ledger() {
  const starts: number[] = [];
  const byStart = new Map<number, WorkspaceBlock>();
  const at = (offset: number): number => {
    let low = 0;
    for (let high = starts.length; low < high;) {
      const middle = (low + high) >>> 1;
      if (starts[middle] < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    add(block: WorkspaceBlock): boolean {
      const place = at(block.offset);
      const before = place > 0 ? byStart.get(starts[place - 1])! : undefined;
      const isApart =
        (before === undefined || before.offset + before.bytes <= block.offset) &&
        (place >= starts.length || block.offset + block.bytes <= starts[place]);
      starts.splice(place, 0, block.offset);
      byStart.set(block.offset, block);
      return isApart;
    },
    drop(block: WorkspaceBlock): void {
      starts.splice(at(block.offset), 1);
      byStart.delete(block.offset);
    },
  };
}

describe('workspace', () => {
  for (const strategy of STRATEGIES)
    it(`never lends one byte twice, with ${strategy} (F074)`, function () {
      this.timeout(0);
      const operations = propertyRuns(20_000, 250_000, 1_000_000);
      const next = seeded(propertySeed());
      const scratch = workspace({ initial: 4096, max: 2 ** 24, growth: 1.5, strategy, defragment: true, threshold: 0.3 });
      const out: WorkspaceBlock[] = [];
      const taken = ledger();
      let [overlaps, damaged, live] = [0, 0, 0];
      for (let k = 0; k < operations; k++) {
        if (out.length > 0 && (out.length > 200 || next() < 0.48)) {
          const [block] = out.splice(Math.floor(next() * out.length), 1);
          // First and last byte still say whose they are.
          if (block.view[0] !== (block.id & 255) || block.view.at(-1) !== (block.id & 255)) damaged++;
          taken.drop(block);
          scratch.release(block);
          live -= block.bytes;
        } else {
          const block = scratch.allocate(1 + Math.floor(next() ** 3 * 2000));
          block.view[0] = block.view[block.bytes - 1] = block.id & 255;
          if (!taken.add(block) || block.offset % 8 !== 0) overlaps++;
          out.push(block);
          live += block.bytes;
        }
      }
      expect({ overlaps, damaged }).to.deep.equal({ overlaps: 0, damaged: 0 });
      const stats = scratch.stats();
      expect(stats.live).to.equal(out.length);
      expect(stats.allocations + stats.releases).to.equal(operations);
      expect(stats.used).to.be.within(live, stats.capacity);
    });

  for (const strategy of STRATEGIES)
    it(`holds at most twice what lives at its peak when sizes alternate, with ${strategy} (R8)`, function () {
      this.timeout(0);
      const operations = propertyRuns(20_000, 1_000_000, 1_000_000);
      const next = seeded(propertySeed() + 1);
      const scratch = workspace({ ...WORKSPACE_PRESETS.memoryOptimized, strategy, growth: 1.1, initial: 4096 });
      const out: WorkspaceBlock[] = [];
      let [live, peak, held] = [0, 0, 0];
      for (let k = 0; k < operations; k++) {
        if (out.length > 0 && (out.length > 300 || next() < 0.45)) {
          const [block] = out.splice(Math.floor(next() * out.length), 1);
          scratch.release(block);
          live -= block.bytes;
        } else {
          const block = scratch.allocate(k % 2 === 0 ? 1000 : 4000);
          out.push(block);
          peak = Math.max(peak, (live += block.bytes));
        }
        // It may let go of memory, so it is asked now and then.
        if (k % 64 === 0) held = Math.max(held, scratch.stats().capacity);
      }
      expect(held / peak).to.be.at.most(2);
      console.log(`      ${strategy}: ${(held / peak).toFixed(2)} times the peak`);
    });

  it('is not alone in this: a pool of tensors holds at most twice its peak too, and shows nothing old (R8)', () => {
    const next = seeded(propertySeed() + 2);
    const pool = memoryPool();
    const out: Tensor[] = [];
    let [live, peak, held, old] = [0, 0, 0, 0];
    for (let k = 0; k < propertyRuns(20_000, 300_000, 1_000_000); k++) {
      if (out.length > 0 && (out.length > 80 || next() < 0.45)) {
        const [tensor] = out.splice(Math.floor(next() * out.length), 1);
        (tensor.data as Float32Array).fill(k);
        live -= tensor.size * 4;
        pool.deallocate(tensor);
      } else {
        const tensor = pool.allocate([k % 2 === 0 ? 250 : 1000], 'float32', { zeroed: true });
        if (tensor.data[0] !== 0 || tensor.data[tensor.size - 1] !== 0) old++;
        out.push(tensor);
        peak = Math.max(peak, (live += tensor.size * 4));
      }
      const { liveBytes, pooledBytes } = pool.stats();
      held = Math.max(held, liveBytes + pooledBytes);
    }
    expect(old).to.equal(0);
    expect(held / peak).to.be.at.most(2);
  });

  it('rounds to powers of two within its buckets, and counts free ranges by class (F076)', () => {
    const offsets = (config: WorkspaceConfig): number[] => {
      const scratch = workspace(config);
      return [100, 3000, 8].map((bytes) => scratch.allocate(bytes).offset);
    };
    expect(offsets({ strategy: 'powerOfTwo' })).to.deep.equal([0, 128, 128 + 4096]);
    expect(offsets({ strategy: 'powerOfTwo', buckets: 2 })).to.deep.equal([0, 128, 128 + 3000]);
    expect(offsets({})).to.deep.equal([0, 104, 104 + 3000]);
    const scratch = workspace({ buckets: 3 });
    for (const block of [64, 100, 500, 8].map((bytes) => scratch.allocate(bytes))) scratch.release(block);
    expect(scratch.stats().classes).to.deep.equal([2, 1, 1]);
  });

  it('grows by its factor, at least by what is asked, and never beyond `max` in all (F076, F077)', () => {
    const scratch = workspace({ initial: 1000, growth: 3, max: 10_000 });
    scratch.allocate(1000);
    scratch.allocate(8);
    expect(scratch.stats()).to.include({ capacity: 3000, expansions: 1 });
    scratch.allocate(5000);
    expect(scratch.stats()).to.include({ capacity: 9000, expansions: 2 });
    scratch.allocate(1992);
    expect(scratch.stats()).to.include({ capacity: 9000, expansions: 2 });
    expect(thrownBy(() => scratch.allocate(1001))).to.include({ code: 'E_LIMIT' });
    scratch.allocate(1000);
    expect(scratch.stats()).to.include({ capacity: 9000, expansions: 2, used: 9000 });
    scratch.allocate(1000);
    expect(scratch.stats()).to.include({ capacity: 10_000, expansions: 3, used: 10_000 });
    expect(Object.keys(WORKSPACE_PRESETS)).to.deep.equal(['large', 'small', 'memoryOptimized']);
    for (const preset of Object.values(WORKSPACE_PRESETS)) expect(workspace(preset).stats().capacity).to.equal(preset.initial);
  });

  it('reaches each of its errors: sizes, limits, no room, unknown, released twice, in use (F076)', () => {
    const scratch = workspace({ initial: 256, max: 1024, autoExpand: false });
    const block = scratch.allocate(128);
    const said = (act: () => unknown): string => {
      const { code, message } = thrownBy(act);
      return `${code} ${/size is an integer|stay within|one piece|released before|no block is in use|no block/.exec(message)?.[0]}`;
    };
    expect([0, -1, 1.5, NaN, 2 ** 60, '8'].map((bytes) => said(() => scratch.allocate(bytes as number)))).to.deep.equal([
      ...new Array<string>(6).fill('E_ARGUMENT size is an integer'),
    ]);
    expect(said(() => scratch.allocate(1025))).to.equal('E_LIMIT stay within');
    expect(said(() => scratch.allocate(200))).to.equal('E_OOM one piece');
    expect(said(() => scratch.release(99))).to.equal('E_ARGUMENT no block');
    expect(said(() => scratch.clear())).to.equal('E_ARGUMENT no block is in use');
    scratch.release(block);
    expect(said(() => scratch.release(block))).to.equal('E_ARGUMENT released before');
    scratch.clear();
    expect(scratch.stats()).to.include({ capacity: 0, live: 0, used: 0 });
  });

  it('names the field of a config that is out of its range', () => {
    const wrong: readonly object[] = [{ initial: -1 }, { initial: 5, max: 4 }, { max: 0 }, { growth: 1 }, { strategy: 'worst' }, { threshold: 2 }, { buckets: 0 }, { autoExpand: 1 }, { defragment: 'yes' }, { size: 3 }]; // prettier-ignore
    for (const config of wrong) {
      const { code, message } = thrownBy(() => workspace(config));
      expect(code).to.equal('E_ARGUMENT');
      expect(message).to.include(Object.keys(config)[0]);
    }
  });

  it('joins free neighbours, so that a request has room that failed before, and leaves what is out as it is (F077)', () => {
    const scratch: Workspace = workspace({ initial: 1024, max: 1024 });
    const blocks = Array.from({ length: 8 }, () => scratch.allocate(128));
    blocks[7].view.fill(7);
    for (const block of blocks.slice(0, 4)) scratch.release(block);
    expect(scratch.stats()).to.include({ fragmentation: 0.75, used: 512 });
    expect(thrownBy(() => scratch.allocate(512)).code).to.equal('E_LIMIT');
    expect(scratch.defragment()).to.deep.equal({ freedBytes: 0, merged: 3 });
    expect(scratch.stats()).to.include({ fragmentation: 0, defragmentations: 1 });
    expect(scratch.allocate(512).offset).to.equal(0);
    expect([...blocks[7].view].every((byte) => byte === 7)).to.equal(true);
  });

  it('does so by itself where that is asked, from the threshold on, and lets go of pieces that are empty (F077)', () => {
    const fragmented = (config: WorkspaceConfig): Workspace => {
      const scratch = workspace({ initial: 1024, max: 4096, ...config });
      const blocks = Array.from({ length: 8 }, () => scratch.allocate(128));
      for (const block of blocks.slice(0, 4)) scratch.release(block);
      scratch.allocate(512);
      return scratch;
    };
    expect(fragmented({ defragment: true }).stats()).to.include({ expansions: 0, defragmentations: 1 });
    expect(fragmented({ defragment: true, threshold: 0.8 }).stats()).to.include({ expansions: 1, defragmentations: 0 });
    expect(fragmented({}).stats()).to.include({ expansions: 1, defragmentations: 0 });
    const grown = workspace({ initial: 64, max: 4096 });
    const [first, second] = [grown.allocate(64), grown.allocate(1000)];
    grown.release(second);
    expect(grown.defragment()).to.deep.equal({ freedBytes: 1000, merged: 0 });
    expect(grown.stats().capacity).to.equal(64);
    expect(grown.allocate(8).offset).to.not.equal(first.offset);
  });

  it('counts hits, and takes back what it lent to a function, also when that throws', () => {
    const scratch = workspace();
    for (let k = 0; k < 4; k++) scratch.lend(100, (view) => view.fill(1));
    expect(() => scratch.lend(100, () => { throw new RangeError('mine'); })).to.throw(RangeError, 'mine'); // prettier-ignore
    expect(scratch.stats()).to.include({ live: 0, hitRate: 0.8, peak: 104, allocations: 5, releases: 5 });
  });
});
