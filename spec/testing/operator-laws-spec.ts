/** @file The laws of operators bite: each of these wrong operators breaks the law that it should, and right ones break none. */
import { expect } from 'chai';
import { bufferCount, concatMap, delay, filter, map, mergeMap, Observable, of, retry, take, type OperatorFunction } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { operatorLaws, type OperatorUse } from '../../src/testing.js';

const feed = (index: number): number => index;

/** Titles of the laws that an operator breaks. */
const broken = <R>(make: () => OperatorFunction<number, R>, use: Partial<OperatorUse<number, R>> = {}): readonly string[] =>
  operatorLaws(make, { feed, ...use }).flatMap(({ title, check }) => {
    try {
      check();
      return [];
    } catch {
      return [title];
    }
  });

const virtual: Pick<OperatorUse<number, number>, 'inTime'> = {
  inTime: (check) => new TestScheduler(() => undefined).run(({ flush }) => check(flush)),
};

describe('operatorLaws', () => {
  it('are kept by operators of RxJS', () => {
    expect(
      broken(() => map((x) => x + 1), {
        throwing: (error) =>
          map(() => {
            throw error;
          }),
      }),
    ).to.deep.equal([]);
    expect(broken(() => concatMap((x) => of(x, x)), { outputs: (count) => 2 * count })).to.deep.equal([]);
    expect(broken(() => bufferCount<number>(2), { outputs: (count) => Math.ceil(count / 2) })).to.deep.equal([]);
    expect(broken(() => delay<number>(3), virtual)).to.deep.equal([]);
  });

  const wrong: readonly (readonly [string, RegExp, () => OperatorFunction<number, unknown>])[] = [
    [
      'keeps its source after unsubscribing',
      /lets go of it/,
      () => (x$) =>
        new Observable((s) => {
          x$.subscribe({ next: (x) => s.next(x), error: (e: unknown) => s.error(e), complete: () => s.complete() });
        }),
    ],
    [
      'never completes',
      /empty source ends/,
      () => (x$) => new Observable((s) => x$.subscribe({ next: (x) => s.next(x), error: (e: unknown) => s.error(e) })),
    ],
    ['drops every second item', /one item and many/, () => filter((x: number) => x % 2 === 0)],
    [
      'wraps errors',
      /the very same object/,
      () => (x$) =>
        new Observable((s) =>
          x$.subscribe({ next: (x) => s.next(x), error: () => s.error(new Error('wrapped')), complete: () => s.complete() }),
        ),
    ],
    [
      'swallows errors',
      /the very same object/,
      () => (x$) =>
        new Observable((s) => x$.subscribe({ next: (x) => s.next(x), error: () => s.complete(), complete: () => s.complete() })),
    ],
    ['tries again', /the very same object/, () => retry(1)],
    [
      'pulls ahead of its consumer',
      /endless source/,
      () => (x$) =>
        new Observable((s) => {
          const all: number[] = [];
          const inner = x$.subscribe({
            next: (x) => void all.push(x),
            error: (e: unknown) => s.error(e),
            complete: () => {
              for (const x of all) s.next(x);
              s.complete();
            },
          });
          s.add(inner);
        }),
    ],
    [
      'counts across subscribers',
      /shares nothing/,
      () => {
        let count = 0;
        return map(() => count++);
      },
    ],
    [
      'is one stream for all sources',
      /shares nothing/,
      () => {
        let first$: Observable<number> | undefined;
        return (x$) => (first$ ??= x$);
      },
    ],
    [
      'emits nested values first',
      /keeps the order/,
      () => mergeMap((x, k) => (k === 0 ? of(x, x) : of(x)).pipe(map((value) => value + (k % 2)))),
    ],
    ['ends by itself', /one item and many/, () => take(1)],
  ];
  for (const [what, law, make] of wrong)
    it(`are broken by an operator that ${what}`, () => {
      expect(
        broken(make).some((title) => law.test(title)),
        broken(make).join('; '),
      ).to.equal(true);
    });

  it('are broken by an operator whose callback is not guarded', () => {
    const unguarded = (): OperatorFunction<number, number> => (x$) =>
      new Observable((s) =>
        x$.subscribe({ next: (x) => s.next(x), complete: () => s.complete(), error: (e: unknown) => s.error(e) }),
      );
    expect(broken(unguarded, { throwing: unguarded })).to.include(
      'turns a throw of its callback into one error, and stops its source',
    );
  });

  it('say what was expected and what happened', () => {
    const laws = operatorLaws(() => take<number>(1), { feed });
    expect(laws.find(({ title }) => /many/.test(title))!.check).to.throw(
      Error,
      'signals for 2 items: expected "next next complete", got "next complete"',
    );
  });
});
