/** @file Recovering: attempts, limits, and what a result says. */
import { expect } from 'chai';
import { lastValueFrom, map, of } from 'rxjs';
import { recovering, recovery, RetryPolicy, runWithRecovery, type RecoveryConfig, type RecoveryResult } from '../../src/index.js';
import { marbles } from '../support/marbles.js';
import { failing, only, probing } from '../support/middleware.js';
import { g, options, good, resultOf, shown, x } from '../support/recovered.js';
import { thrownBy } from '../support/thrownBy.js';

describe('recovering (F064, F065, F068)', () => {
  it('retries the failing node alone, waiting 100, 200 and 400 ms (F067)', () => {
    const ran: string[] = [];
    const result = resultOf(
      { strategy: 'retry' },
      probing(({ name, op }) => ran.push(name ?? op)),
      failing('left', 3),
    );

    expect(shown(result)).to.deep.equal({
      kind: 'success',
      failures: [
        ['left', 1, 0],
        ['left', 2, 100],
        ['left', 3, 300],
      ],
      retries: 3,
      outputs: good,
      path: 'primary',
      degraded: false,
      substituted: [],
    });
    expect(result.stats.executionMs).to.equal(700);
    expect(ran.filter((name) => name === 'shared')).to.have.length(1);
  });

  it('fails with the last error and every attempt when they are used up', () => {
    const result = resultOf({ strategy: 'retry' }, failing('left', 9));

    expect(shown(result)).to.deep.equal({
      kind: 'failure',
      failures: [
        ['left', 1, 0],
        ['left', 2, 100],
        ['left', 3, 300],
        ['left', 4, 700],
      ],
      retries: 3,
    });
  });

  it('tries once under failFast', () => {
    expect(shown(resultOf(recovery.failFast(), failing('left', 1)))).to.deep.equal({
      kind: 'failure',
      failures: [['left', 1, 0]],
      retries: 0,
    });
  });

  it('gives up after maxFailures, whatever the policy allows', () => {
    const result = resultOf(
      { strategy: 'partialResults', retryPolicy: RetryPolicy.exponential(9, 1), maxFailures: 2 },
      failing('left', 9),
    );

    expect(shown(result)).to.deep.equal({
      kind: 'failure',
      failures: [
        ['left', 1, 0],
        ['left', 2, 1],
        ['left', 3, 3],
      ],
      retries: 2,
    });
  });

  it('never retries what would come again: a feed of the wrong shape', () => {
    const results: RecoveryResult[] = [];
    of({ x: [1, 2, 3] }, x)
      .pipe(recovering(g))
      .subscribe((each) => results.push(each));

    expect(results.map(({ kind, stats }) => [kind, stats.retries])).to.deep.equal([
      ['failure', 0],
      ['success', 0],
    ]);
    expect(results[0]).to.have.nested.property('error.code', 'E_FEED');
  });

  it('counts waits in the limit of time (F065)', () => {
    const result = resultOf({ strategy: 'retry', timeoutMs: 250 }, failing('left', 3));

    expect(result).to.have.property('kind', 'failure');
    expect(result).to.have.nested.property('error.code', 'E_TIMEOUT');
    expect(result.stats.executionMs).to.equal(250);
  });

  it(
    'goes on with the next feed, in order, and lets an error of the source pass',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const feeds$ = cold(' ab-----#', { a: x, b: x });
      const subs = '        ^------!';
      const expected = '    --a-b--#'; // each fails once, and waits for 2 ms

      const kinds$ = feeds$.pipe(
        recovering(g, { retryPolicy: RetryPolicy.exponential(1, 2) }, { ...options, use: [failing('left', 1)] }),
        map(({ kind }) => kind),
      );
      expectObservable(kinds$).toBe(expected, { a: 'success', b: 'success' });
      expectSubscriptions(feeds$.subscriptions).toBe(subs);
    }),
  );

  it(
    'unsubscribes from the source and from a wait',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const feeds$ = cold(' a---|', { a: x });
      const unsub = '       --!';
      const subs = '        ^-!';
      const expected = '    ---';

      expectObservable(
        feeds$.pipe(recovering(g, { retryPolicy: RetryPolicy.exponential(9, 9) }, { use: [failing('left', 9)], level: 'none' })),
        unsub,
      ).toBe(expected);
      expectSubscriptions(feeds$.subscriptions).toBe(subs);
    }),
  );

  it('refuses at the call what is no configuration', () => {
    for (const config of [
      { strategy: 'hope' },
      { strategy: {} },
      { strategy: 'checkpoint', checkpointing: false },
      { maxFailures: -1 },
      { checkpointEvery: 0 },
      { timeoutMs: 0 },
      { retryPolicy: {} },
    ] as unknown as RecoveryConfig[])
      expect(
        thrownBy(() => recovering(g, config)),
        JSON.stringify(config),
      ).to.include({ code: 'E_ARGUMENT' });
    expect(thrownBy(() => recovering(g, {}, { level: 'high' as 'none' }))).to.include({ code: 'E_ARGUMENT' });
  });

  it('works on the default scheduler, too', async () => {
    const result = await lastValueFrom(
      runWithRecovery(g, x, { retryPolicy: RetryPolicy.exponential(2, 1) }, { use: [only('left', failing('left', 1))] }),
    );
    expect(result.kind).to.equal('success');
  });
});
