/** @file Failures of runs: what came before is delivered, one error ends it, and nothing is held (S5, S6). */
import { expect } from 'chai';
import { concat, finalize, from, NEVER, of, type Observable } from 'rxjs';
import {
  add,
  EinstreamError,
  exp,
  graph,
  input,
  mul,
  named,
  run,
  einsum,
  sum,
  take,
  tensor,
  type Middleware,
  type Outputs,
  type RunOptions,
} from '../../src/index.js';
import { failing, only } from '../support/middleware.js';
import { expectNothingUncaught } from '../support/uncaught.js';
import { scripted, turn } from '../support/scriptedBackend.js';

const g = graph({ x: input([2]) }, ({ x }) => ({ y: add(named('s', einsum('i->', mul(x, x))), 1) }));
const [S, Y] = [2, 4];
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

describe('failures of runs', () => {
  expectNothingUncaught();

  describe('of one node (S5)', () => {
    /** Its second kernel fails for an index that is not there. */
    const gathering = graph({ x: input([3]), i: input([1], { dtype: 'int32' }) }, ({ x, i }) => ({
      y: sum(named('picked', take(exp(x), i))),
    }));
    const feedsOf = (bad: number) =>
      Array.from({ length: 6 }, (_, k) => ({ x: [0, 0, 0], i: tensor([k === bad ? 9 : 1], { dtype: 'int32' }) }));

    const ways: readonly RunOptions[] = [
      {},
      { compose: 'separate' },
      { outputs: 'borrow' },
      { level: 'none', use: [only('y', (step) => (frames$) => frames$.pipe(step))] },
    ];
    for (const options of ways)
      it(`deliver the outputs before the bad item, whichever it is, then one error with the node: ${JSON.stringify(options)}`, () => {
        for (let bad = 0; bad < 6; bad++) {
          let tornDown = 0;
          const log = logOf(
            concat(from(feedsOf(bad)), NEVER).pipe(
              finalize(() => tornDown++),
              run(gathering, options),
            ),
          );
          expect([log.length, tornDown]).to.deep.equal([bad + 1, 1]);
          expect(log.slice(0, bad)).to.deep.equal(Array.from({ length: bad }, () => 1));
          const error = log[bad];
          expect(error).to.be.instanceOf(EinstreamError);
          expect((error as EinstreamError).nodeId).to.be.a('number');
        }
      });
  });

  describe('of two in one tick (S6)', () => {
    it('give one error, the first; the second is kept in its `suppressed`', async () => {
      const { backend, calls } = scripted();
      const log = logOf(concat(of(ones, ones), NEVER).pipe(run(g, { level: 'none', backend })));
      // Kernels: mul of frame 0; then its sum, and mul of frame 1; then add of frame 0, and sum of frame 1.
      for (let step = 0; step < 2; step++) {
        await turn();
        for (const call of calls.splice(0)) call.done();
      }
      await turn();
      expect(calls).to.have.length(2);
      for (const [k, call] of calls.splice(0).entries()) call.failed(new Error(`kernel ${k}`));
      await turn();
      expect(log.map(shown)).to.deep.equal([['E_KERNEL', Y, [['E_KERNEL', S, []]]]]);
    });

    it('count nothing that was retried or cancelled before', async () => {
      const { backend, calls } = scripted();
      const source$ = concat(of(ones, ones), NEVER);
      const subscription = source$
        .pipe(run(g, { level: 'none', backend }))
        .subscribe({ error: () => expect.fail('it was cancelled') });
      await turn();
      subscription.unsubscribe();
      for (const call of calls.splice(0)) call.failed(new Error('too late'));
      await turn();
    });

    it('never happen between timers: the first stops the second', () => {
      let tried = 0;
      const use: Middleware[] = [
        only('s', (step) => (frames$) => {
          tried++;
          return frames$.pipe(step);
        }),
        failing('s', 9),
      ];
      const log = logOf(concat(of(ones, ones, ones), NEVER).pipe(run(g, { use })));
      expect(log.map(shown)).to.deep.equal([['E_CONSUMER', S, []]]);
      expect(tried).to.equal(1);
    });

    it('keep a teardown that throws after the failure', () => {
      const log = logOf(of(ones).pipe(run(g, { use: [only('y', throwingTeardown(new Error('stuck'))), failing('s', 1)] })));
      expect(log.map(shown)).to.deep.equal([['E_CONSUMER', S, [['E_TEARDOWN', undefined, []]]]]);
    });

    it('never lend buffers again that a late kernel may still write', async () => {
      const { backend, calls } = scripted();
      const outputs$ = (elements: number[]) => of({ x: elements }).pipe(run(g, { level: 'none', backend }));
      outputs$([3, 3]).subscribe().unsubscribe();
      const late = calls.splice(0);
      const log = logOf(outputs$([1, 2]));
      for (let step = 0; step < 3; step++) {
        await turn();
        for (const call of calls.splice(0)) call.done();
        for (const call of late.splice(0)) call.done(); //  writes 9, 9 where its frame's square was
      }
      await turn();
      expect(log).to.deep.equal([6, 'complete']);
    });
  });
});
