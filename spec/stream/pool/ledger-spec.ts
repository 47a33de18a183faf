/** @file The ledger is right at every moment, and the work is shared. */
import { expect } from 'chai';
import fc from 'fast-check';
import { expectBalanced, settled, type Followed } from '../../support/poolLedger.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { setUp } from '../../support/scriptedRequests.js';
import type { Act } from '../../support/scriptedWorkers.js';

describe('a slow worker', () => {
  it('a hundred times slower gets a hundredth of the work, about: the least loaded is asked (P13)', async () => {
    const { pool, pass, ask } = setUp({ act: ({ life }) => ({ ms: life === 0 ? 100 : 1 }) });
    for (let k = 0; k < 1000; k++) ask(k);
    pass();
    await settled();
    const [slow, quick] = pool.stats().workers.map(({ answered }) => answered);
    expect([slow + quick, slow <= 12]).to.deep.equal([1000, true]);
  });
});

describe('the ledger', () => {
  it('counts times on the injected clock (F026)', async () => {
    const { pool, pass, ask } = setUp({ act: () => ({ ms: 10 }) }, { workers: 1 });
    for (const x of [1, 2, 3]) void ask(x);
    pass();
    await settled();
    expect(pool.stats()).to.include({ avgExecutionMs: 10, avgQueueTimeMs: 10, totalExecutions: 3, peakConcurrent: 1 });
  });

  it('is balanced at every moment, and each request ends once, whatever workers do (P6) (P14)', async () => {
    const act = fc.record<Act>({
      ms: fc.integer({ min: 0, max: 30 }),
      how: fc.constantFrom('answer', 'answer', 'answer', 'die', 'silence', 'twice', 'oom'),
      tileMs: fc.constantFrom(1, 1000),
    });
    const step = fc.record({ kind: fc.constantFrom('ask', 'ask', 'ask', 'cancel', 'pass'), n: fc.nat(40) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(act, { minLength: 1, maxLength: 12 }),
        fc.array(step, { maxLength: 60 }),
        fc.boolean(),
        async (acts, steps, shares) => {
          let at = 0;
          const { pool, pass, ask } = setUp(
            { act: () => acts[at++ % acts.length], shares, startMs: 3 },
            { timeoutMs: 200, attemptTimeoutMs: 60, maxQueue: 10, retry: { delayMs: 5 } },
          );
          const all: Followed[] = [];
          for (const { kind, n } of steps) {
            if (kind === 'ask') all.push(ask(n));
            else if (kind === 'cancel' && all.length > 0) all[n % all.length].cancel();
            else pass(n);
            expectBalanced(pool);
          }
          pass(500);
          await settled();
          expect(all.map(({ endings }) => endings)).to.deep.equal(all.map(() => 1));
          expect(pool.stats()).to.include({ inFlight: 0, submitted: all.length, queued: 0, queuedBytes: 0 });
          pass();
          expect(pool.stats().running).to.equal(0);
        },
      ),
      { numRuns: propertyRuns(12, 2000, 20_000), seed: propertySeed() },
    );
  });
});
