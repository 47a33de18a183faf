/** @file RxJS operators on the way of a flow: what is in flight is bounded, in items and in bytes. */
import { expect } from 'chai';
import {
  bufferCount,
  delay,
  filter,
  finalize,
  map,
  mergeMap,
  of,
  pipe,
  startWith,
  take,
  throwError,
  type Observable,
  type OperatorFunction,
} from 'rxjs';
import {
  EinstreamError,
  fromObservable,
  graph,
  input,
  mul,
  pulled,
  run,
  tensor,
  through,
  toObservable,
  type Flow,
} from '../../../src/index.js';
import { operatorLaws } from '../../../src/testing.js';
import { probed } from '../../support/flow-probe.js';
import { marbles } from '../../support/marbles.js';
import { failingFor } from '../../support/middleware.js';
import { expectNothingUncaught } from '../../support/uncaught.js';
import { watch } from '../../support/watch.js';

const doubled = graph({ x: input(['n']) }, ({ x }) => ({ y: mul(x, 2) }));
const codeOf = (error: unknown): unknown => (error instanceof EinstreamError ? error.code : error);

/** An endless source that counts how often it is pulled. */
function counting() {
  const seen = { pulled: 0, closed: 0 };
  const source = {
    *[Symbol.iterator]() {
      try {
        for (;;) yield seen.pulled++;
      } finally {
        seen.closed++;
      }
    },
  };
  return { seen, flow: pulled(source) };
}

describe('through', () => {
  expectNothingUncaught();

  describe('between Observables', () => {
    const laws = operatorLaws(
      () => (x$: Observable<{ x: number[] }>) =>
        toObservable(through(run(doubled), { credits: 3 })(fromObservable(x$, { policy: 'error', size: Infinity }))),
      { feed: (k) => ({ x: [k] }), throwing: (error) => pipe(map(() => { throw error; }), run(doubled)) }, // prettier-ignore
    );
    for (const { title, check } of laws) it(title, check);
  });

  it(
    'gives outputs in their instants',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const feeds$ = cold('a-b--(cd|)', { a: { x: [1] }, b: { x: [2, 3] }, c: { x: [4] }, d: { x: [5] } });
      const subs = '       ^----!';
      const expected = '   a-b--(cd|)';

      const outputs$ = toObservable(through(run(doubled), { credits: 2 })(fromObservable(feeds$, { policy: 'error', size: 0 })));
      const y = (...elements: number[]) => ({ y: tensor(elements) });
      expectObservable(outputs$).toBe(expected, { a: y(2), b: y(4, 6), c: y(8), d: y(10) });
      expectSubscriptions(feeds$.subscriptions).toBe(subs);
    }),
  );

  it(
    'keeps as many at work as there are credits, and pulls another one when an output has left',
    marbles(({ expectObservable }) => {
      const takes: Record<string, number> = { a: 3, b: 4, c: 3, d: 4 };
      const one = '  ---a---b--c---(d|)';
      const two = '  ---ab-c-(d|)';
      const four = ' ---a(b|)';

      const working = (items: string, credits: number) =>
        toObservable(
          through(
            mergeMap((x: string) => of(x).pipe(delay(takes[x]))),
            { credits },
          )(pulled(items)),
        );
      expectObservable(working('abcd', 1)).toBe(one);
      expectObservable(working('abcd', 2)).toBe(two);
      expectObservable(working('ab', 4)).toBe(four);
    }),
  );

  it('pulls nothing before the first demand, then as far as its credits', () => {
    const { seen, flow } = counting();
    const { edge } = probed(through(map((x: number) => x), { credits: 4 })(flow)); // prettier-ignore
    expect(seen.pulled).to.equal(0);
    edge().grant(1);
    expect(seen.pulled).to.be.within(4, 5);
    edge().cancel();
    expect(seen.closed).to.equal(1);
  });

  it('refuses bounds that bound nothing, and what is no operator', () => {
    const wrong: readonly unknown[] = [
      undefined,
      {},
      { credits: 0 },
      { credits: Infinity },
      { credits: 1.5 },
      { credits: 1, bytes: -1 },
      { credits: 1, sizeOf: 1 },
      { credits: 1, release: 'never' },
    ];
    for (const options of wrong)
      expect(() => through(run(doubled), options as never), JSON.stringify(options))
        .to.throw(EinstreamError)
        .with.property('code', 'E_ARGUMENT');
    expect(() => through(3 as never, { credits: 1 })).to.throw(/through takes an operator/);
  });

  it('fails at the item that fails, after the outputs before it, and lets the source go (S5)', () => {
    for (let bad = 0; bad < 5; bad++) {
      const { seen, flow } = counting();
      const operator = pipe(
        map((k: number) => ({ x: [k] })),
        run(doubled, { use: [failingFor('y', ({ index }) => index === bad)] }),
      );
      const { log, edge, error } = probed(through(operator, { credits: 3 })(flow));
      if (bad > 0) edge().grant(bad);
      // An error takes no credit, so one that was met by working ahead comes at once.
      expect(log.length).to.be.within(1 + bad, 2 + bad);
      edge().grant(9);
      expect([log.length, log.at(-1), seen.closed]).to.deep.equal([bad + 2, 'error', 1]);
      expect(codeOf(error())).to.be.oneOf(['E_KERNEL', 'E_CONSUMER']);
    }
  });

  it('passes an error of the source on, and one of making the operator', () => {
    const error = new Error('mine');
    const source$ = toObservable(
      through(run(doubled), { credits: 2 })(
        fromObservable(
          throwError(() => error),
          { policy: 'latest' },
        ),
      ),
    );
    expect(watch(source$).error).to.equal(error);
    const { seen, flow } = counting();
    const bad = through(
      () => {
        throw error;
      },
      { credits: 2 },
    )(flow);
    expect([watch(toObservable(bad)).error, seen.pulled]).to.deep.equal([error, 0]);
    const broken: Flow<number> = {
      open() {
        throw error;
      },
    };
    expect(watch(toObservable(through(map((x: number) => x), { credits: 2 })(broken))).error).to.equal(error); // prettier-ignore
  });

  it('ends when its operator does, and lets the source go', () => {
    const { seen, flow } = counting();
    const { log, edge } = probed(through(take<number>(3), { credits: 2 })(flow));
    edge().grant(9);
    expect([log, seen.closed]).to.deep.equal([['open', 'next', 'next', 'next', 'complete'], 1]);
  });

  it('refuses more outputs than inputs, and keeps the credit of inputs without one', () => {
    const { seen, flow } = counting();
    const early = watch(toObservable(through(startWith(7), { credits: 2 })(flow)));
    expect([early.values, codeOf(early.error), seen.pulled]).to.deep.equal([[], 'E_DEMAND', 0]);
    const two = watch(toObservable(through(mergeMap((x: number) => [x, x]), { credits: 2 })(counting().flow))); // prettier-ignore
    expect(codeOf(two.error)).to.equal('E_DEMAND');
    const some = watch(toObservable(through(filter((x: number) => x > 2), { credits: 9 })(pulled([1, 2, 3])))); // prettier-ignore
    expect([some.values, some.isComplete]).to.deep.equal([[3], true]);
  });

  it('cancels its operator and its source with its sink, and tells of a teardown that throws', () => {
    const { seen, flow } = counting();
    const heard: string[] = [];
    const operator = finalize<number>(() => {
      throw new Error('stuck');
    });
    const passage = through(operator, { credits: 2, onDiagnostic: ({ code }) => void heard.push(code) })(flow);
    const { edge, log } = probed(passage, (kind, edge) => void (kind === 'next' && edge.cancel()));
    edge().grant(5);
    expect([log, seen.closed, heard]).to.deep.equal([['open', 'next'], 1, ['E_TEARDOWN']]);
  });

  describe("with release: 'input'", () => {
    const releasing = <A, B>(operator: OperatorFunction<A, B>, credits = 1) => through(operator, { credits, release: 'input' });

    it('takes operators that give fewer outputs than inputs, for ever', () => {
      const { seen, flow } = counting();
      const rare = watch(toObservable(releasing(filter((x: number) => x % 100 === 99))(flow)).pipe(take(3)));
      expect([rare.values, seen]).to.deep.equal([[99, 199, 299], { pulled: 300, closed: 1 }]);
      const batches = watch(toObservable(releasing(bufferCount<number>(3))(pulled([1, 2, 3, 4, 5, 6, 7]))));
      expect([batches.values, batches.isComplete]).to.deep.equal([[[1, 2, 3], [4, 5, 6], [7]], true]); // prettier-ignore
    });

    it('takes operators that give more, whose outputs wait for credit before another input is asked for', () => {
      const { seen, flow } = counting();
      const { edge, values } = probed(releasing(mergeMap((x: number) => [x, x, x]), 2)(flow)); // prettier-ignore
      edge().grant(1);
      expect([values, seen.pulled]).to.deep.equal([[0], 2]);
      edge().grant(3);
      expect([values, seen.pulled]).to.deep.equal([[0, 0, 0, 1], 2]); // two wait still, for two credits
      edge().grant(1);
      expect([values, seen.pulled]).to.deep.equal([[0, 0, 0, 1, 1], 3]);
      edge().cancel();
    });

    it('counts bytes of what waits', () => {
      const { seen, flow } = counting();
      const twice = through(mergeMap((x: number) => [x, x]), { credits: 99, bytes: 40, release: 'input' })(flow); // prettier-ignore
      const { edge, values } = probed(twice);
      edge().grant(1);
      // One is gone; five of eight bytes wait, which are no less than 40.
      expect([values, seen.pulled]).to.deep.equal([[0], 3]);
      edge().cancel();
    });
  });
});
