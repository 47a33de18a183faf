/** @file `earlyStop`: training that ends by itself (F011). */
import { expect } from 'chai';
import { map } from 'rxjs';
import { earlyStop, type EarlyStopOptions } from '../../src/index.js';
import { marbles } from '../support/marbles.js';
import { thrownBy } from '../support/thrownBy.js';

const values = { a: 8, b: 4, c: 5, d: 3.9, e: 3.9, n: NaN };
const stopping = (options: EarlyStopOptions) => (losses$: import('rxjs').Observable<number>) =>
  losses$.pipe(
    map((loss) => ({ loss })),
    earlyStop(options),
    map(({ loss }) => loss),
  );

describe('earlyStop', () => {
  it(
    'completes with the first loss below, and lets go of its source',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      // prettier-ignore
      const losses$ = cold(' a-c-b-d-e', values);
      const subs = '         ^---!';
      const expected = '     a-c-(b|)';
      expectObservable(losses$.pipe(stopping({ below: 4.5 }))).toBe(expected, values);
      expectSubscriptions(losses$.subscriptions).toBe(subs);
    }),
  );

  it(
    'completes when so many losses in a row were not lower than the lowest',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      // prettier-ignore
      const losses$ = cold(' a-b-c-d-e-c-a-a', values);
      const subs = '         ^-----------!';
      const expected = '     a-b-c-d-e-c-(a|)';
      expectObservable(losses$.pipe(stopping({ patience: 3 }))).toBe(expected, values);
      expectSubscriptions(losses$.subscriptions).toBe(subs);
    }),
  );

  it(
    'counts as lower what is lower by minDelta, and nothing that is no number',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('a-b-d-e-a', values).pipe(stopping({ patience: 2, minDelta: 0.5 }))).toBe('a-b-d-(e|)', values);
      expectObservable(cold('a-n-n-b', values).pipe(stopping({ patience: 2 }))).toBe('       a-n-(n|)', values);
      expectObservable(cold('n-a-b-|', values).pipe(stopping({ patience: 2 }))).toBe('       n-a-b-|', values);
    }),
  );

  it(
    'passes on what never is enough, the end and errors; two subscribers share nothing',
    marbles(({ cold, expectObservable }) => {
      const stopped$ = cold('a-b-#', values).pipe(stopping({ below: 1 }));
      expectObservable(stopped$).toBe('a-b-#', values);
      expectObservable(stopped$, ' --^').toBe('--a-b-#', values);
      expectObservable(cold('|', values).pipe(stopping({ below: 1 }))).toBe('|');
      expectObservable(cold('-', values).pipe(stopping({ below: 1 }))).toBe('-');
    }),
  );

  it('refuses wrong options', () => {
    for (const [options, what] of [
      [null, /options are one object/],
      [{}, /below or patience says when it is enough/],
      [{ patience: 0 }, /patience is an integer ≥ 1; got 0/],
      [{ below: NaN }, /below is a finite number; got NaN/],
      [{ below: 1, minDelta: -1 }, /minDelta is a number ≥ 0; got -1/],
      [{ patient: 1 }, /an option must be known.*got "patient"/],
    ] as const) {
      const { code, message } = thrownBy(() => earlyStop(options as never));
      expect(code).to.equal('E_ARGUMENT');
      expect(message).to.match(what);
    }
  });
});
