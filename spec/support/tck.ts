/**
 * @file Rules of Reactive Streams 1.0.4, in their form for JavaScript, for an operator that keeps pace with its source.
 *
 * There is one thread, so rules against concurrency become rules against re-entrance. Rules of demand are those of flows, beside this
 * file; what is not tested is listed by number, not left out.
 */
import { expect } from 'chai';
import { Observable, Subject, take, type OperatorFunction } from 'rxjs';
import { reachable } from './collect.js';
import { listen } from './listen.js';

export interface Rule {
  readonly rules: string;
  readonly title: string;
  readonly check: () => void | Promise<void>;
}

/** Rules that no check of ours can break, with the reason. Those of demand are in `tck-flow` and `tck-sink`. */
export const UNTESTED: Readonly<Record<string, string>> = {
  '2.2': 'that a sink does not block: in one thread each call is over before the next one begins',
  '2.7, 2.11, 3.1': 'the order of calls from several threads: there is one',
  '3.4':
    'the millisecond that cancelling may take: a clock in a spec lies on a busy machine; that it is done on return is tested',
};

export interface TckUse<T> {
  readonly feed: (index: number) => T;
  /** The operator, made so that item `bad` fails in it; absent where nothing in it can fail. */
  readonly failingAt?: (bad: number) => OperatorFunction<T, unknown>;
}

const items = <T>(feed: (index: number) => T, count: number, end: 'complete' | 'error' | 'never'): Observable<T> =>
  new Observable((subscriber) => {
    for (let k = 0; k < count; k++) subscriber.next(feed(k));
    if (end === 'complete') subscriber.complete();
    if (end === 'error') subscriber.error(new Error('the end'));
  });
const times = (count: number, ...end: readonly string[]): readonly string[] => [
  ...Array.from({ length: count }, () => 'next'),
  ...end,
];

/** One output for each item, at once. */
export function verifyOperator<T>(make: () => OperatorFunction<T, unknown>, { feed, failingAt }: TckUse<T>): readonly Rule[] {
  const rules: readonly (Rule | undefined)[] = [
    {
      rules: '1.2, 1.5',
      title: 'it may end early, and completes when its source does',
      check() {
        for (const count of [0, 1, 7])
          expect(listen(items(feed, count, 'complete').pipe(make())).log).to.deep.equal(times(count, 'complete'));
      },
    },
    {
      rules: '1.4',
      title: 'a failing source ends it with that error',
      check() {
        for (const count of [0, 1, 7])
          expect(listen(items(feed, count, 'error').pipe(make())).log).to.deep.equal(times(count, 'error'));
      },
    },
    failingAt && {
      rules: '1.4, 1.6',
      title: 'a failure at item k ends it, for every k',
      check() {
        for (let bad = 0; bad < 7; bad++)
          expect(listen(items(feed, 7, 'complete').pipe(failingAt(bad))).log).to.deep.equal(times(bad, 'error'));
      },
    },
    {
      rules: '1.3, 3.3',
      title: 'no `next` starts inside another, however its consumer feeds it',
      check() {
        const source = new Subject<T>();
        let count = 0;
        const { depth, log } = listen(source.pipe(make()), () => {
          for (let k = 0; k < 3 && count < 300; k++) source.next(feed(++count));
        });
        source.next(feed(0));
        expect([depth(), log.length]).to.deep.equal([1, 301]);
      },
    },
    {
      rules: '1.3, 1.5',
      title: 'an end that its consumer brings about waits for the items before it',
      check() {
        for (const end of ['complete', 'error'] as const) {
          const source = new Subject<T>();
          const { log } = listen(source.pipe(make()), () => {
            if (log.length > 1) return;
            source.next(feed(1));
            source.next(feed(2));
            if (end === 'complete') source.complete();
            else source.error(new Error('the end'));
          });
          source.next(feed(0));
          expect(log).to.deep.equal(times(3, end));
        }
      },
    },
    {
      rules: '1.6, 1.7',
      title: 'it ends once, and nothing follows',
      check() {
        for (const end of ['complete', 'error'] as const) {
          const source = new Subject<T>();
          const { log } = listen(source.pipe(make()), (kind) => {
            if (kind !== 'next') source.next(feed(1));
          });
          source.next(feed(0));
          if (end === 'complete') source.complete();
          else source.error(new Error('the end'));
          source.next(feed(2));
          source.complete();
          expect(log).to.deep.equal(['next', end]);
        }
      },
    },
    {
      rules: '1.8, 3.12',
      title: 'no item follows a cancel, not even one that waits its turn',
      check() {
        const source = new Subject<T>();
        let pushed = 0;
        const { log } = listen(source.pipe(make()), (_, subscription) => {
          if (pushed++ > 5) return;
          source.next(feed(1));
          source.next(feed(2));
          subscription.unsubscribe();
        });
        source.next(feed(0));
        expect([log, source.observed]).to.deep.equal([['next'], false]);
      },
    },
    {
      rules: '1.9',
      title: 'the subscription is there before the first item of a source that does not wait',
      check() {
        let pulled = 0;
        const source$ = new Observable<T>((subscriber) => {
          for (; pulled < 1_000 && !subscriber.closed; pulled++) subscriber.next(feed(pulled));
        });
        const log: string[] = [];
        const outer$ = new Observable<unknown>((subscriber) => {
          source$.pipe(make()).subscribe(subscriber);
        });
        outer$.pipe(take(2)).subscribe({ next: () => log.push('next'), complete: () => log.push('complete') });
        expect([log, pulled]).to.deep.equal([['next', 'next', 'complete'], 2]);
      },
    },
    {
      rules: '1.10',
      title: 'each subscriber has a fresh run',
      check() {
        const stream$ = items(feed, 5, 'complete').pipe(make());
        expect([listen(stream$).log, listen(stream$).log]).to.deep.equal([times(5, 'complete'), times(5, 'complete')]);
      },
    },
    {
      rules: '1.11',
      title: 'subscribers to one hot source hear the same sequence',
      check() {
        const source = new Subject<T>();
        const heard = [0, 1, 2].map(() => listen(source.pipe(make())));
        for (let k = 0; k < 5; k++) source.next(feed(k));
        source.complete();
        for (const { log } of heard) expect(log).to.deep.equal(times(5, 'complete'));
      },
    },
    {
      rules: '2.3',
      title: 'a terminal handler cannot restart it',
      check() {
        let again = 0;
        const source$ = new Observable<T>((subscriber) => {
          again++;
          subscriber.next(feed(0));
          subscriber.complete();
        });
        const { log } = listen(source$.pipe(make()), (kind, subscription) => {
          if (kind === 'complete') subscription.unsubscribe();
        });
        expect([log, again]).to.deep.equal([['next', 'complete'], 1]);
      },
    },
    {
      rules: '2.6, 3.13',
      title: 'a subscriber that has cancelled can be collected',
      async check() {
        const source = new Subject<T>();
        const refs = Array.from({ length: 20 }, () => {
          const consumer = { seen: 0, hear: (): void => undefined };
          const subscription = source.pipe(make()).subscribe(() => consumer.hear());
          source.next(feed(0));
          subscription.unsubscribe();
          return new WeakRef(consumer);
        });
        await new Promise((resolve) => setTimeout(resolve, 10));
        reachable();
        expect(refs.filter((ref) => ref.deref() !== undefined)).to.have.length(0);
      },
    },
    {
      rules: '3.4, 3.5, 3.6, 3.7',
      title: 'cancelling is done when it returns; again, and feeding after it, do nothing',
      check() {
        const source = new Subject<T>();
        const { log, subscription } = listen(source.pipe(make()));
        for (let k = 0; k < 10_000; k++) {
          subscription.unsubscribe();
          source.next(feed(k));
        }
        expect([log, source.observed]).to.deep.equal([[], false]);
      },
    },
    {
      rules: '2.13, 3.15, 3.16',
      title: 'signals and cancelling never throw',
      check() {
        const source = new Subject<T>();
        const { subscription } = listen(source.pipe(make()));
        expect(() => {
          source.next(undefined as T);
          source.error(undefined);
          subscription.unsubscribe();
        }).not.to.throw();
      },
    },
  ];
  return rules.filter((rule) => rule !== undefined);
}
