/** @file Cancelling requests of a pool in virtual time. */
import { expect } from 'chai';
import { settled } from '../../support/poolLedger.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { setUp } from '../../support/scriptedRequests.js';

describe('cancelling (P14) (F027)', () => {
  it('before its turn never starts it; running, its worker stops at the next tile, or is replaced', async () => {
    let started = 0;
    const tiled = setUp({ act: () => (started++, { ms: 1000, tileMs: 2 }) }, { workers: 1 });
    const [running, waiting] = [tiled.ask(1), tiled.ask(2)];
    waiting.cancel('not wanted');
    running.cancel('nor this');
    await settled();
    expect([running.ended?.error, waiting.ended?.error]).to.deep.equal(['nor this', 'not wanted']);
    tiled.pass(2);
    expect(tiled.pool.stats()).to.include({ running: 0, replaced: 0, cancelled: 2 });
    tiled.pass();
    expect([started, tiled.lives.length]).to.deep.equal([1, 1]);

    const stubborn = setUp({ act: () => ({ ms: 1000 }) }, { workers: 1 });
    const run = stubborn.ask(1);
    run.cancel();
    stubborn.pass(49);
    expect(stubborn.pool.stats()).to.include({ running: 1, replaced: 0 });
    stubborn.pass(1);
    expect(stubborn.pool.stats()).to.include({ running: 0, replaced: 1, lost: 0 });
    await settled();
    expect(run.ended?.code).to.equal('E_ABORT');
  });

  it('again, and after the end, does nothing', async () => {
    const { pool, pass, ask } = setUp({ act: () => ({ ms: 1 }) });
    const request = ask(1);
    pass();
    await settled();
    request.cancel();
    request.cancel();
    await settled();
    expect([request.endings, pool.stats().cancelled]).to.deep.equal([1, 0]);
  });

  it('at random, queued and running: nothing that was cancelled in the line ever starts', async () => {
    const begun = new Set<unknown>();
    const { pool, pass, ask } = setUp(
      {
        act({ feeds }) {
          begun.add(feeds['x'].toArray());
          return { ms: 3, tileMs: 1 };
        },
      },
      { maxQueue: Infinity },
    );
    const count = propertyRuns(1000, 100_000, 100_000);
    let random = propertySeed();
    const next = (): number => (random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
    const all = Array.from({ length: count }, (_, x) => ask(x));
    const cancelled = new Set<number>();
    for (let k = 0; k < count; k++) {
      const at = Math.floor(next() * count);
      if (begun.has(at) || all[at].ended !== undefined) continue;
      cancelled.add(at);
      all[at].cancel();
    }
    pass();
    await settled();
    expect([...cancelled].filter((at) => begun.has(at))).to.deep.equal([]);
    expect(all.every(({ endings }) => endings === 1)).to.equal(true);
    expect(pool.stats()).to.include({ cancelled: cancelled.size, successful: count - cancelled.size, inFlight: 0 });
  });
});
