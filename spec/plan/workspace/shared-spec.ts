/** @file Memory that threads share: real threads take blocks at the same time, and none is lost or lent twice. */
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { sharedWorkspace } from '../../../src/index.js';
import { bundleTo } from '../../support/bundled.js';
import { propertyRuns } from '../../support/property.js';
import { thrownBy } from '../../support/thrownBy.js';

interface Told {
  readonly broken: number;
  readonly offsets: readonly number[];
}

describe('sharedWorkspace (F078)', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'shared-'));
  after(() => rmSync(folder, { recursive: true }));

  const ended = (file: string, buffer: SharedArrayBuffer, mark: number, count: number): Promise<Told> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(file, { workerData: { buffer, mark, count } });
      worker.once('message', resolve).once('error', reject);
    });

  it('lends two threads blocks at the same time: no overlap, and nothing is lost', async () => {
    const count = propertyRuns(20_000, 100_000, 1_000_000);
    const file = join(folder, 'blocks.mjs');
    bundleTo(file, 'spec/support/children/sharedBlocks.ts');
    const shared = sharedWorkspace(2 ** 18);
    const told = await Promise.all([1, 2].map((mark) => ended(file, shared.buffer, mark, count)));
    expect(told.map(({ broken }) => broken)).to.deep.equal([0, 0]);
    expect(shared.stats()).to.include({ allocations: 2 * count, live: 20 });
    const left = told.flatMap(({ offsets }) => offsets);
    expect(new Set(left).size).to.equal(20);
    for (const offset of left) shared.release(offset);
    expect(shared.stats()).to.include({ live: 0, used: 0 });
  });

  it('lends what was released again, and refuses what has no room', () => {
    const shared = sharedWorkspace(4096);
    const first = shared.allocate(100);
    first.view.fill(9);
    shared.release(first);
    expect(shared.allocate(90).offset).to.equal(first.offset);
    expect(shared.stats()).to.include({ allocations: 2, reuses: 1, live: 1, used: 128 });
    const { code, message } = thrownBy(() => shared.allocate(5000));
    expect(code).to.equal('E_OOM');
    expect(message).to.match(/128 bytes of them in use/);
    let blocks = 1;
    expect(thrownBy(() => { for (;;) blocks += shared.allocate(50).bytes / 50; }).code).to.equal('E_OOM'); // prettier-ignore
    expect(shared.stats().live).to.equal(blocks);
  });

  it('refuses sizes, memory and offsets that are none, and a second release', () => {
    const shared = sharedWorkspace(4096);
    const block = shared.allocate(8);
    shared.release(block.offset);
    const acts = [() => shared.release(block), () => shared.release(block.offset + 8), () => shared.release(-8), () => shared.release(0.5), () => shared.allocate(0), () => shared.allocate(NaN), () => sharedWorkspace(10), () => sharedWorkspace(new SharedArrayBuffer(8192)), () => sharedWorkspace(new ArrayBuffer(8192) as never)]; // prettier-ignore
    for (const act of acts) expect(thrownBy(act).code).to.equal('E_ARGUMENT');
    expect(shared.stats().live).to.equal(0);
  });

  it('says no where threads cannot share memory', () => {
    const own = Object.getOwnPropertyDescriptor(globalThis, 'SharedArrayBuffer')!;
    try {
      Object.defineProperty(globalThis, 'SharedArrayBuffer', { value: undefined, configurable: true });
      const { code, message } = thrownBy(() => sharedWorkspace(4096));
      expect(code).to.equal('E_BACKEND');
      expect(message).to.match(/sharedMemory/);
    } finally {
      Object.defineProperty(globalThis, 'SharedArrayBuffer', own);
    }
  });
});
