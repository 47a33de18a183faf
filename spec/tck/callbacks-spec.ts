/** @file Callbacks of the user that throw: their own subscription ends, no other, and nothing goes uncaught (S16). */
import { expect } from 'chai';
import { concat, finalize, NEVER, of, Subject, throwError, type Observable } from 'rxjs';
import { createSandbox } from 'sinon';
import {
  add,
  consume,
  context,
  diagnostic,
  EinstreamError,
  graph,
  input,
  mul,
  named,
  neg,
  run,
  einsum,
  type GraphSymbol,
  type Middleware,
  type Outputs,
} from '../../src/index.js';
import { only } from '../support/middleware.js';
import { expectNothingUncaught } from '../support/uncaught.js';

const g = graph({ x: input([2]) }, ({ x }) => ({ y: add(named('s', einsum('i->', mul(x, x))), 1) }));
const ones = { x: [1, 1] };

/** What a stream said, errors by code and node. */
function logOf(outputs$: Observable<Outputs | number>): unknown[] {
  const log: unknown[] = [];
  outputs$.subscribe({
    next: (out) => log.push(typeof out === 'number' ? out : out['y'].toArray()),
    error: (error: unknown) => log.push(error),
    complete: () => log.push('complete'),
  });
  return log;
}

const shown = (error: unknown): unknown =>
  error instanceof EinstreamError ? [error.code, error.nodeId, error.suppressed.map(shown)] : error;
const throwingTeardown =
  (error: unknown): Middleware =>
  (step) =>
  (frames$) =>
    frames$.pipe(
      step,
      finalize(() => {
        throw error;
      }),
    );

describe('failures of the user’s own code', () => {
  const uncaught = expectNothingUncaught();
  const sandbox = createSandbox();
  afterEach(() => sandbox.restore());

  describe('of callbacks (S16)', () => {
    const ended = (error: unknown): unknown => (error instanceof EinstreamError ? error.code : error);

    it('of `consume` are E_CONSUMER for that subscription alone', () => {
      const source = new Subject<typeof ones>();
      const outputs$ = source.pipe(run(g));
      const bad = logOf(
        outputs$.pipe(
          consume(() => {
            throw new Error('disk full');
          }),
        ),
      );
      const good = logOf(outputs$);
      source.next(ones);
      source.next(ones);
      source.complete();
      expect([bad.map(ended), good]).to.deep.equal([['E_CONSUMER'], [3, 3, 'complete']]);
    });

    it('of hooks are E_CONSUMER for that run alone', () => {
      for (const hook of ['onPhaseChange', 'onNodeStart', 'onNodeComplete', 'onComplete'] as const) {
        const bad = logOf(
          of(ones).pipe(
            run(g, {
              context: context({
                hooks: [
                  {
                    [hook]: () => {
                      throw new Error('hook');
                    },
                  },
                ],
              }),
            }),
          ),
        );
        expect(
          bad.map(ended).filter((each) => each !== 3),
          hook,
        ).to.deep.equal(['E_CONSUMER']);
        expect(logOf(of(ones).pipe(run(g)))).to.deep.equal([3, 'complete']);
      }
    });

    it('of `onDiagnostic` are E_CONSUMER', () => {
      const log = logOf(
        of({ ...ones, unused: 1 } as typeof ones).pipe(
          run(g, {
            onDiagnostic: () => {
              throw new Error('log full');
            },
          }),
        ),
      );
      expect(log.map(ended)).to.deep.equal(['E_CONSUMER']);
    });

    it('of a plain `subscribe` keep the rule of RxJS: told on a timer, and the stream goes on', async () => {
      const seen: unknown[] = [];
      of(ones, ones)
        .pipe(run(g))
        .subscribe(({ y }) => {
          seen.push(y.toArray());
          throw new Error('mine');
        });
      await new Promise((resolve) => setTimeout(resolve));
      expect([seen, uncaught.splice(0).map(String)]).to.deep.equal([
        [3, 3],
        ['Error: mine', 'Error: mine'],
      ]);
    });
  });

  describe('of teardowns (S16, RS 2.13, 3.15, 3.16)', () => {
    const stuck = only('s', throwingTeardown(new Error('stuck')));

    it('turn completion into one E_TEARDOWN, after all outputs', () => {
      const log = logOf(of(ones, ones).pipe(run(g, { use: [stuck] })));
      expect(log.map(shown)).to.deep.equal([3, 3, ['E_TEARDOWN', undefined, []]]);
      expect((log[2] as Error).cause)
        .to.be.instanceOf(Error)
        .with.property('message', 'stuck');
    });

    it('of several at once are told as one, and every other teardown still runs', () => {
      let others = 0;
      const counting: Middleware = (step) => (frames$) =>
        frames$.pipe(
          step,
          finalize(() => others++),
        );
      const log = logOf(of(ones).pipe(run(g, { level: 'none', use: [counting, throwingTeardown('no')] })));
      expect(log.map(shown)).to.deep.equal([3, ['E_TEARDOWN', undefined, ['no', 'no']]]);
      expect(others).to.equal(3);
    });

    it('lose nothing in a pipe so long that it is cut into pieces', () => {
      const deep = graph({ x: input([1]) }, ({ x }) => {
        let y: GraphSymbol = x;
        for (let k = 0; k < 50; k++) y = neg(y);
        return { y };
      });
      for (const at of [1, 25, 49]) {
        let others = 0;
        const use: Middleware[] = [
          only(`neg_${at}`, throwingTeardown(new Error('stuck'))),
          (step) => (frames$) =>
            frames$.pipe(
              step,
              finalize(() => others++),
            ),
        ];
        const feeds = { x: [3] };
        const pipe = run(deep, { level: 'none', use });
        expect(logOf(of(feeds, feeds).pipe(pipe)).map(shown)).to.deep.equal([[3], [3], ['E_TEARDOWN', undefined, []]]);
        const failing$ = concat(
          of(feeds),
          throwError(() => new EinstreamError(diagnostic.error('mine', { code: 'E_FEED' }))),
        );
        expect(logOf(failing$.pipe(pipe)).map(shown)).to.deep.equal([
          [3],
          ['E_FEED', undefined, [['E_TEARDOWN', undefined, []]]],
        ]);
        expect(others).to.equal(100);
      }
    });

    it('leave an error of the source as it is, and are told to onDiagnostic', () => {
      const told: unknown[] = [];
      const mine = new Error('mine');
      const log = logOf(
        throwError(() => mine).pipe(run(g, { use: [stuck], onDiagnostic: ({ code, message }) => told.push([code, message]) })),
      );
      expect(log).to.deep.equal([mine]);
      expect(told).to.deep.equal([['E_TEARDOWN', '"teardown": a teardown must not throw; got stuck']]);
    });

    it('do not throw out of unsubscribe: onDiagnostic hears of them once', () => {
      const told: unknown[] = [];
      const subscription = NEVER.pipe(run(g, { use: [stuck], onDiagnostic: ({ code }) => told.push(code) })).subscribe();
      subscription.unsubscribe();
      subscription.unsubscribe();
      expect(told).to.deep.equal(['E_TEARDOWN']);
    });

    it('are written to the console when nobody else would hear of them', () => {
      const warn = sandbox.stub(console, 'warn');
      NEVER.pipe(run(g, { use: [stuck] }))
        .subscribe()
        .unsubscribe();
      NEVER.pipe(
        run(g, {
          use: [stuck],
          onDiagnostic: () => {
            throw new Error('log full');
          },
        }),
      )
        .subscribe()
        .unsubscribe();
      expect(warn.args.flat().map((line: unknown) => /stuck|log full/.exec(String(line))?.[0])).to.deep.equal([
        'stuck',
        'log full',
        'stuck',
      ]);
    });

    it('of a source that ends later than it is subscribed to are the run’s, too', () => {
      const source = new Subject<typeof ones>();
      const log = logOf(
        source.pipe(
          finalize(() => {
            throw new Error('valve');
          }),
          run(g),
        ),
      );
      source.next(ones);
      source.complete();
      expect(log.map(shown)).to.deep.equal([3, ['E_TEARDOWN', undefined, []]]);
    });
  });
});
