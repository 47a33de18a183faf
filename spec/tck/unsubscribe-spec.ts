/** @file Unsubscribing from inside every callback: no signal afterwards, nothing thrown, nothing held (S8, RS 1.8, 3.5–3.7, 3.12). */
import { expect } from 'chai';
import { finalize, Observable, Subject, Subscription, tap, timer } from 'rxjs';
import {
  add,
  consume,
  graph,
  input,
  live,
  mul,
  named,
  run,
  einsum,
  type Middleware,
  type Outputs,
  type RunOptions,
} from '../../src/index.js';
import { virtually } from '../support/marbles.js';
import { only, waiting } from '../support/middleware.js';
import { expectNothingUncaught } from '../support/uncaught.js';

const g = graph({ x: input([2]) }, ({ x }) => ({ y: add(named('s', einsum('i->', mul(x, x))), 1) }));
const feed = (k: number) => ({ x: [k, k] });
const moments = [
  'source',
  'step in',
  'step out',
  'next',
  'error',
  'complete',
  'step teardown',
  'source teardown',
  'own teardown',
] as const;
type Moment = (typeof moments)[number];

/** One subscription that leaves in a certain moment; the signals that came after it. */
function leaving(
  moment: Moment,
  end: 'complete' | 'error' | 'never',
  options: RunOptions,
): { readonly after: number; readonly left: boolean } {
  const subscription = new Subscription();
  let [left, after] = [false, 0];
  const at = (now: Moment) => (): void => {
    if (moment !== now || left) return;
    left = true;
    subscription.unsubscribe();
    subscription.unsubscribe(); // again: nothing happens (RS 3.6, 3.7)
  };
  const heard = (now: Moment) => (): void => {
    if (left) after++;
    at(now)();
  };
  const watched: Middleware = only(
    's',
    (step) => (frames$) => frames$.pipe(tap(at('step in')), step, tap(at('step out')), finalize(at('step teardown'))),
  );
  const source$ = new Observable<{ x: number[] }>((subscriber) => {
    subscriber.add(at('source teardown'));
    for (let k = 0; k < 3; k++) {
      at('source')();
      subscriber.next(feed(k));
    }
    if (end === 'complete') subscriber.complete();
    if (end === 'error') subscriber.error(new Error('mine'));
  });
  const outputs$ = source$.pipe(run(g, { ...options, use: [watched, ...(options.use ?? [])] }));
  // The subscription exists before the first signal, even from a source that emits while it is subscribed to (RS 1.9).
  new Observable<Outputs>((subscriber) => {
    subscription.add(subscriber);
    subscriber.add(at('own teardown'));
    return outputs$.subscribe(subscriber);
  }).subscribe({ next: heard('next'), error: heard('error'), complete: heard('complete') });
  if (end === 'never' && !left) subscription.unsubscribe();
  return { after, left };
}

describe('unsubscribing', () => {
  expectNothingUncaught();

  const ways: readonly (readonly [string, RunOptions])[] = [
    ['', {}],
    [', step by step', { level: 'none', compose: 'separate' }],
    [', with borrowed outputs', { outputs: 'borrow' }],
    [
      ', over a queue',
      { level: 'none', use: Array.from({ length: 20 }, (): Middleware => (step) => (frames$) => frames$.pipe(step)) },
    ],
  ];
  for (const [how, options] of ways)
    for (const moment of moments)
      it(`inside ${moment} ends all signals at once${how} (S8)`, () => {
        const reached: string[] = [];
        for (const end of ['complete', 'error', 'never'] as const) {
          const { after, left } = leaving(moment, end, options);
          expect(after, end).to.equal(0);
          if (left) reached.push(end);
        }
        const expected = moment === 'error' || moment === 'complete' ? [moment] : ['complete', 'error', 'never'];
        expect(reached).to.deep.equal(expected);
      });

  it('inside a `consume` callback passes the value on to nobody', () => {
    const source = new Subject<{ x: number[] }>();
    const seen: unknown[] = [];
    const subscription = source
      .pipe(
        run(g),
        consume(() => subscription.unsubscribe()),
      )
      .subscribe((out) => seen.push(out));
    source.next(feed(1));
    expect([seen.length, source.observed]).to.deep.equal([0, false]);
  });

  it('inside a `consume` callback drops what that callback has pushed', () => {
    const source = new Subject<number>();
    const seen: number[] = [];
    const subscription = source
      .pipe(
        consume((k) => {
          seen.push(k);
          source.next(k + 1);
          subscription.unsubscribe();
        }),
      )
      .subscribe();
    source.next(0);
    expect(seen).to.deep.equal([0]);
  });

  it('inside an output of `live` ends it, whatever its sources do', () => {
    const x$ = new Subject<number[]>();
    let count = 0;
    virtually(({ flush }) => {
      const subscription = live(g, { x: x$ }).subscribe(() => {
        count++;
        subscription.unsubscribe();
      });
      x$.next([1, 1]);
      flush();
      x$.next([2, 2]);
      flush();
    });
    expect([count, x$.observed]).to.deep.equal([1, false]);
  });

  it('at any moment of a run that takes time leaves silence and no memory', () => {
    for (let moment = 0; moment <= 12; moment++) {
      let [after, left] = [0, false];
      virtually(({ cold, flush }) => {
        const subscription = cold('abc--|', { a: feed(1), b: feed(2), c: feed(3) })
          .pipe(
            run(g, {
              use: [
                only(
                  's',
                  waiting(() => 2),
                ),
                only(
                  'y',
                  waiting(() => 3),
                ),
              ],
            }),
          )
          .subscribe(() => (after += left ? 1 : 0));
        timer(moment).subscribe(() => {
          left = true;
          subscription.unsubscribe();
        });
        flush();
      });
      expect(after, `at ${moment} ms`).to.equal(0);
    }
  });
});
