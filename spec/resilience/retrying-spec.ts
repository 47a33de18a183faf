/** @file Waits between attempts, and the middleware that makes them. */
import { expect } from 'chai';
import { tap } from 'rxjs';
import {
  add,
  EinstreamError,
  ERROR_CODES,
  exponentialBackoff,
  graph,
  input,
  isTransient,
  mul,
  named,
  retrying,
  RetryPolicy,
  run,
  shapeMismatch,
  einsum,
  tensor,
  type ErrorCode,
  type Middleware,
} from '../../src/index.js';
import { marbles } from '../support/marbles.js';
import { failing, failingFor, only } from '../support/middleware.js';
import { thrownBy } from '../support/thrownBy.js';

const g = graph({ x: input([2]) }, ({ x }) => ({ y: add(named('s', einsum('i->', mul(x, x))), 1) }));
const feeds = { a: { x: [1, 1] }, b: { x: [2, 0] } };
const outputs = { a: { y: tensor(3) }, b: { y: tensor(5) } };

describe('RetryPolicy (F067)', () => {
  const waits = ({ count, delay }: RetryPolicy): readonly number[] => Array.from({ length: count }, (_, at) => delay(at + 1));

  it('waits 100, 200 and 400 ms for exponential(3, 100), and no longer than a minute (P16)', () => {
    expect(waits(RetryPolicy.exponential(3, 100))).to.deep.equal([100, 200, 400]);
    expect(waits(RetryPolicy.exponential(12, 100)).slice(-3)).to.deep.equal([51_200, 60_000, 60_000]);
  });

  it('retries three times from 100 ms to ten seconds by default', () => {
    expect(waits(RetryPolicy.new())).to.deep.equal([100, 200, 400]);
    expect(waits(RetryPolicy.new(9)).slice(-2)).to.deep.equal([10_000, 10_000]);
    expect(waits(RetryPolicy.new(0))).to.deep.equal([]);
  });

  it('draws full jitter evenly from nothing to the whole wait, by the numbers it is given', () => {
    const numbers = [0, 0.5, 0.999];
    const policy = RetryPolicy.exponential(3, 100, { jitter: 'full', random: () => numbers.shift()! });
    expect(waits(policy)).to.deep.equal([0, 100, 399.6]);
  });

  it('takes another factor and another cap', () => {
    expect([1, 2, 3, 4].map(exponentialBackoff(1, { factor: 3, capMs: 10 }))).to.deep.equal([1, 3, 9, 10]);
  });

  it('refuses numbers that are none', () => {
    for (const make of [
      () => RetryPolicy.exponential(-1, 100),
      () => RetryPolicy.exponential(1.5, 100),
      () => RetryPolicy.exponential(3, NaN),
      () => exponentialBackoff(1, { factor: 0.5 }),
      () => exponentialBackoff(1, { capMs: -1 }),
      () => exponentialBackoff(1, { jitter: 'half' as 'full' }),
      () => retrying({ count: 3 } as RetryPolicy),
      () => retrying({ count: -3, delay: () => 0 }),
    ])
      expect(thrownBy(make)).to.include({ code: 'E_ARGUMENT' });
  });
});

describe('isTransient', () => {
  it('is false for what comes again: shapes, dtypes, ops, texts, limits, and what the caller did', () => {
    const codes = (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) =>
      isTransient(new EinstreamError(code, shapeMismatch([1], [2], 'add'))),
    );
    expect(codes).to.have.members([
      'E_TIMEOUT',
      'E_KERNEL',
      'E_OOM',
      'E_CONSUMER',
      'E_BACKEND',
      'E_BACKEND_LOST',
      'E_WORKER_LOST',
      'E_QUEUE_FULL',
    ]);
    expect(isTransient(new Error('who knows'))).to.equal(true);
  });
});

describe('retrying (F064)', () => {
  it(
    'tries a failed node again, without resubscribing to the feeds',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const feeds$ = cold(' a---------b|', feeds);
      const subs = '        ^----------!';
      const expected = '    ------a---b|'; // fails at 0 and 2 ms, succeeds at 6

      expectObservable(
        feeds$.pipe(run(g, { use: [retrying({ count: 3, delay: exponentialBackoff(2) }), failing('s', 2)] })),
      ).toBe(expected, outputs);
      expectSubscriptions(feeds$.subscriptions).toBe(subs);
    }),
  );

  it(
    'keeps the order of frames: those behind wait',
    marbles(({ cold, expectObservable }) => {
      const feeds$ = cold(' ab|', feeds);
      const expected = '    ---(ab|)';

      expectObservable(feeds$.pipe(run(g, { use: [retrying({ count: 1, delay: () => 3 }), failing('s', 1)] }))).toBe(
        expected,
        outputs,
      );
    }),
  );

  it(
    'gives up with the last error, which knows its attempt',
    marbles(({ cold, expectObservable, flush }) => {
      const feeds$ = cold(' a|', feeds);
      const expected = '    ---#';
      let last: unknown;

      const run$ = feeds$.pipe(
        run(g, { use: [retrying({ count: 2, delay: exponentialBackoff(1) }), failing('s', 9, kernelError())] }),
      );
      expectObservable(run$.pipe(tap({ error: (error: unknown) => (last = error) }))).toBe(
        expected,
        {},
        { code: 'E_KERNEL', nodeId: undefined },
      );
      flush();
      expect(last).to.include({ attempt: 3 });
    }),
  );

  it(
    'does not retry what would come again',
    marbles(({ cold, expectObservable }) => {
      const feeds$ = cold(' a|', feeds);
      const expected = '    #';
      const error = new EinstreamError(shapeMismatch([1], [2], 'sum'));
      let tried = 0;
      const counting: Middleware = only(
        's',
        (step) => (frames$) =>
          frames$.pipe(
            tap(() => tried++),
            step,
          ),
      );

      const use = [retrying(RetryPolicy.exponential(3, 1)), counting, failingFor('s', () => true, error)];
      expectObservable(feeds$.pipe(run(g, { use }), tap({ error: () => expect(tried).to.equal(1) }))).toBe(
        expected,
        {},
        { code: 'E_SHAPE', nodeId: undefined },
      );
    }),
  );
});

const kernelError = (): EinstreamError => new EinstreamError('E_KERNEL', shapeMismatch([1], [2], 'add'));
