/** @file The guard: middleware that misbehaves ends its own run, with an error that names the node (S16). */
import { expect } from 'chai';
import { concatMap, map, mergeMap, of, tap, throwError } from 'rxjs';
import { add, assign, graph, input, mul, named, run, einsum, tensor, valueOf, type Middleware } from '../../src/index.js';
import { liveMemory } from '../../src/run/arena.js';
import { marbles } from '../support/marbles.js';
import { failing, only } from '../support/middleware.js';

/** s = Σ x², y = s + 1, in two steps that nothing fuses. */
const g = graph({ x: input([2]) }, ({ x }) => ({ y: add(named('s', einsum('i->', mul(x, x))), 1) }));
const feeds = { a: { x: tensor([1, 1]) }, b: { x: tensor([2, 2]) } };
const outputs = { a: { y: tensor(3) }, b: { y: tensor(9) } };

describe('middleware that misbehaves', () => {
  const wrongs: readonly (readonly [string, Middleware, string])[] = [
    [
      'throws when it wraps',
      () => {
        throw new Error('no');
      },
      'E_CONSUMER',
    ],
    [
      'throws when its operator is applied',
      () => () => {
        throw new Error('no');
      },
      'E_CONSUMER',
    ],
    [
      'throws at a frame',
      () =>
        map(() => {
          throw new Error('no');
        }),
      'E_CONSUMER',
    ],
    [
      'throws undefined',
      () =>
        map(() => {
          throw undefined;
        }),
      'E_CONSUMER',
    ],
    ['errors when subscribed to', () => () => throwError(() => 'no'), 'E_CONSUMER'],
    ['returns nothing', () => undefined as never, 'E_CONSUMER'],
    ['returns an operator that returns nothing', () => () => undefined as never, 'E_CONSUMER'],
    [
      'passes on something else',
      (step) => (frames$) =>
        frames$.pipe(
          step,
          map(() => 7 as never),
        ),
      'E_CONSUMER',
    ],
    [
      'passes on nothing',
      (step) => (frames$) =>
        frames$.pipe(
          step,
          map(() => null as never),
        ),
      'E_CONSUMER',
    ],
    ['forgets to run its step', () => (frames$) => frames$, 'E_CONSUMER'],
    ['assigns another shape', (_step, node) => map((frame) => assign(frame, node.id, tensor([1, 2, 3]))), 'E_SHAPE'],
    ['assigns another dtype', (_step, node) => map((frame) => assign(frame, node.id, tensor(1, { dtype: 'int32' }))), 'E_DTYPE'],
    [
      'reads a value before it exists',
      (step, node) => (frames$) =>
        frames$.pipe(
          tap((frame) => void valueOf(frame, node.id)),
          step,
        ),
      'E_GRAPH',
    ],
  ];
  for (const [what, middleware, code] of wrongs)
    it(
      `ends the run with ${code} and the node when it ${what} (S16)`,
      marbles(({ cold, expectObservable, flush }) => {
        const feeds$ = cold('a|', feeds);
        expectObservable(feeds$.pipe(run(g, { use: [only('s', middleware)] }))).toBe('#', {}, { code, nodeId: 2 });
        flush();
        expect(feeds$.subscriptions.every(({ unsubscribedFrame }) => unsubscribedFrame === 0)).to.equal(true);
        expect(liveMemory().frames).to.equal(0);
      }),
    );

  it(
    'is found out when it forgets its step later than at the first frame',
    marbles(({ cold, expectObservable }) => {
      const forgetful = only('s', (step) => concatMap((frame) => (frame.index < 2 ? of(frame).pipe(step) : of(frame))));

      expectObservable(cold('aba|', feeds).pipe(run(g, { use: [forgetful] }))).toBe('ab#', outputs, {
        code: 'E_CONSUMER',
        nodeId: 2,
      });
    }),
  );

  it(
    'ends the run with E_STALE when it passes a frame on twice',
    marbles(({ cold, expectObservable }) => {
      const stutter = only(
        's',
        (step) => (frames$) =>
          frames$.pipe(
            step,
            mergeMap((frame) => of(frame, frame)),
          ),
      );

      expectObservable(cold('a|', feeds).pipe(run(g, { use: [stutter] }))).toBe('(a#)', outputs, {
        code: 'E_STALE',
        nodeId: 2,
      });
    }),
  );

  it(
    'leaves other runs of the same graph alone (S16)',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('ab|', feeds).pipe(run(g, { use: [failing('s', 1)] }))).toBe(
        '#',
        {},
        { code: 'E_CONSUMER', nodeId: 2 },
      );
      expectObservable(cold('ab|', feeds).pipe(run(g))).toBe('ab|', outputs);
    }),
  );
});
