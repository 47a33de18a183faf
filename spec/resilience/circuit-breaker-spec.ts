/** @file A circuit breaker opens, refuses, looks again and closes. */
import { expect } from 'chai';
import { asyncScheduler, concatMap, map, NEVER, of, catchError, type OperatorFunction } from 'rxjs';
import { circuitBreaker, EinstreamError, type CircuitBreaker } from '../../src/index.js';
import { operatorLaws } from '../../src/testing.js';
import { marbles } from '../support/marbles.js';
import { thrownBy } from '../support/thrownBy.js';

const poison = new Error('poison');
/** Fails for what begins with an x, and counts how often it was tried. */
const work = (tried: string[]): OperatorFunction<string, string> =>
  map((item) => {
    tried.push(item);
    if (item.startsWith('x')) throw poison;
    return item.toUpperCase();
  });

/** Each item by itself: its result, or what went wrong. */
const each = (breaker: CircuitBreaker, tried: string[]): OperatorFunction<string, string> =>
  concatMap((item) =>
    of(item).pipe(
      breaker(work(tried)),
      catchError((error: unknown) => of(error === poison ? 'failed' : `refused:${(error as EinstreamError).code}`)),
    ),
  );
const said = { a: 'A', b: 'B', f: 'failed', r: 'refused:E_KERNEL' };

describe('circuitBreaker', () => {
  it(
    'opens after so many failures in a row, refuses without trying, and closes when one item has passed',
    marbles(({ hot, expectObservable, flush }) => {
      const items$ = hot('  axxxxx--a---a|', { a: 'a', x: 'x' });
      const expected = '    affrrr--r---a|'; // open from 2 to 12 ms
      const tried: string[] = [];

      expectObservable(items$.pipe(each(circuitBreaker({ failures: 2, resetMs: 10 }), tried))).toBe(expected, said);
      flush();
      expect(tried).to.deep.equal(['a', 'x', 'x', 'a']);
    }),
  );

  it(
    'opens again for the whole time when that one item fails, and counts afresh after a success',
    marbles(({ hot, expectObservable }) => {
      const items$ = hot('  xx---x----a-xa|', { a: 'a', x: 'x' });
      const expected = '    ff---f----a-fa|'; // open from 1, again from 5 ms

      expectObservable(items$.pipe(each(circuitBreaker({ failures: 2, resetMs: 4 }), []))).toBe(expected, said);
    }),
  );

  it(
    'tells its states, to each subscriber the present one first',
    marbles(({ hot, expectObservable }) => {
      const breaker = circuitBreaker({ failures: 1, resetMs: 3 });
      const items$ = hot('  -x---a|', { a: 'a', x: 'x' });
      const expected = '    cx---(hc)';

      expectObservable(breaker.state$).toBe(expected, { c: 'closed', x: 'open', h: 'halfOpen' });
      items$.pipe(each(breaker, [])).subscribe();
    }),
  );

  it('is shared by all operators behind it, and by their subscribers', () => {
    const breaker = circuitBreaker({ failures: 1 });
    const tried: string[] = [];
    const log: unknown[] = [];
    of('x')
      .pipe(each(breaker, tried))
      .subscribe((said_) => log.push(said_));
    of('a')
      .pipe(each(breaker, tried))
      .subscribe((said_) => log.push(said_));
    expect([log, tried, breaker.state]).to.deep.equal([['failed', 'refused:E_KERNEL'], ['x'], 'open']);
  });

  it('lets one item through at a time to see, and looks again when that one is cancelled', () => {
    let now = 0;
    const scheduler = Object.assign(Object.create(asyncScheduler) as typeof asyncScheduler, { now: () => now });
    const breaker = circuitBreaker({ failures: 1, resetMs: 10, scheduler });
    const log: unknown[] = [];
    const ask = (operator: OperatorFunction<string, string>) =>
      of('a')
        .pipe(
          breaker(operator),
          catchError((error: unknown) => of((error as Error).message.slice(0, 14))),
        )
        .subscribe((said_) => log.push(said_));
    ask(
      map(() => {
        throw poison;
      }),
    );
    now = 10;
    const probe = ask(concatMap(() => NEVER));
    expect(breaker.state).to.equal('halfOpen');
    ask(map((item) => item));
    probe.unsubscribe();
    ask(map((item) => item));
    expect(log.slice(0, 1)).to.deep.equal(['poison']);
    expect(log[1]).to.be.a('string').and.not.equal('a');
    expect([log[2], breaker.state]).to.deep.equal(['a', 'closed']);
  });

  it('refuses with the code of the last failure, and with it as cause', () => {
    const breaker = circuitBreaker({ failures: 1 });
    const errors: unknown[] = [];
    const bad: OperatorFunction<number, number> = map(() => {
      throw poison;
    });
    for (let turn = 0; turn < 2; turn++)
      of(1)
        .pipe(breaker(bad))
        .subscribe({ error: (error: unknown) => errors.push(error) });
    expect(errors[0]).to.equal(poison);
    expect(errors[1]).to.be.instanceOf(EinstreamError).and.to.include({ code: 'E_KERNEL', cause: poison });
  });

  it('counts what the user counts as failure', () => {
    const breaker = circuitBreaker({ failures: 1, isFailure: (error) => error !== poison });
    of('x').pipe(each(breaker, [])).subscribe();
    expect(breaker.state).to.equal('closed');
  });

  for (const { title, check } of operatorLaws(() => circuitBreaker()(map((item: number) => item + 1)), {
    feed: (index) => index,
  }))
    it(`behind it an operator keeps the laws of operators: ${title}`, check);

  it('refuses numbers out of range', () => {
    expect(thrownBy(() => circuitBreaker({ failures: 0 }))).to.include({ code: 'E_ARGUMENT' });
    expect(thrownBy(() => circuitBreaker({ resetMs: NaN }))).to.include({ code: 'E_ARGUMENT' });
  });
});
