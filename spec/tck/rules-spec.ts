/** @file Every kind of operator of ours keeps the rules of Reactive Streams that apply without demand; `demand-spec` has the others. */
import { expect } from 'chai';
import { delay, map, Observable, pipe, share } from 'rxjs';
import {
  add,
  admit,
  consume,
  emit,
  fromObservable,
  graph,
  input,
  mul,
  named,
  run,
  steps,
  einsum,
  through,
  toObservable,
  type Middleware,
} from '../../src/index.js';
import { failingFor, memo, probing } from '../support/middleware.js';
import { UNTESTED, verifyOperator, type TckUse } from '../support/tck.js';
import { expectNothingUncaught } from '../support/uncaught.js';

const g = graph({ x: input([2]) }, ({ x }) => ({ y: add(named('s', einsum('i->', mul(x, x))), 1) }));
type Feed = { readonly x: number[] };
const feed = (k: number): Feed => ({ x: [k, 1] });
const pass: Middleware = (step) => (frames$) => frames$.pipe(step);
const bad = (at: number): Middleware => failingFor('s', ({ index }) => index === at);

type Made = Parameters<typeof verifyOperator<Feed>>[0];
const kinds: Readonly<Record<string, readonly [Made, TckUse<Feed>['failingAt']?]>> = {
  run: [() => run(g)],
  'run, borrowed': [() => run(g, { outputs: 'borrow' })],
  'run, step by step': [() => run(g, { compose: 'separate' })],
  'run with middleware': [() => run(g, { use: [memo(), probing(() => undefined)] }), (at) => run(g, { use: [memo(), bad(at)] })],
  'run over a queue': [
    () => run(g, { level: 'none', use: Array.from({ length: 20 }, () => pass) }),
    (at) => run(g, { level: 'none', use: [...Array.from({ length: 20 }, () => pass), bad(at)] }),
  ],
  'steps by hand': [
    () => (feeds$) =>
      steps(g)
        .reduce((frames$, { operator }) => frames$.pipe(operator), feeds$.pipe(admit(g)))
        .pipe(emit(g)),
  ],
  'through, between Observables': [
    () => (feeds$) => toObservable(through(run(g), { credits: 3 })(fromObservable(feeds$, { policy: 'error', size: Infinity }))),
    (at) => (feeds$) =>
      toObservable(
        through(run(g, { use: [bad(at)] }), { credits: 3 })(fromObservable(feeds$, { policy: 'error', size: Infinity })),
      ),
  ],
  consume: [
    () =>
      pipe(
        consume<Feed>(() => undefined),
        consume(() => undefined),
      ),
    (at) =>
      consume((_, index) => {
        if (index === at) throw new Error('bad item');
      }),
  ],
};

describe('the rules of Reactive Streams', () => {
  expectNothingUncaught();
  let [passed, asked] = [0, 0];

  for (const [kind, [make, failingAt]] of Object.entries(kinds))
    describe(`for ${kind}`, () => {
      for (const { rules, title, check } of verifyOperator(make, { feed, failingAt })) {
        asked++;
        it(`RS ${rules}: ${title}`, async () => {
          await check();
          passed++;
        });
      }
    });

  it('bite: an operator that nests, one that ends late and one that goes on after the end break some', () => {
    const broken = (make: Made): readonly string[] =>
      verifyOperator(make, { feed })
        .filter(({ rules }) => !rules.startsWith('2.6'))
        .flatMap(({ rules, check }) => {
          try {
            void check();
            return [];
          } catch {
            return [rules];
          }
        });
    expect(broken(() => map((x) => x))).to.deep.equal(['1.3, 3.3', '1.8, 3.12']);
    expect(broken(() => delay(0))).to.include.members(['1.2, 1.5', '1.4']);
    expect(broken(() => share())).to.include('1.3, 3.3');
    expect(
      broken(
        () => (x$) =>
          new Observable(
            (s) => void x$.subscribe({ next: (x) => s.next(x), error: (e: unknown) => s.error(e), complete: () => s.complete() }),
          ),
      ),
    ).to.include.members(['1.9', '3.4, 3.5, 3.6, 3.7']);
  });

  after(() => {
    console.log(`    rules × kinds: ${passed} of ${asked} passed, ${Object.keys(kinds).length} kinds`);
    for (const [rules, why] of Object.entries(UNTESTED)) console.log(`    untested: ${rules}: ${why}`);
  });
});
