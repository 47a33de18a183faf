/**
 * @file The laws of operators: what a user of RxJS expects of every one, as checks for any test runner.
 *
 * They concern signals and subscriptions alone; what an operator computes is the business of its own spec.
 */
import { NEVER, Subject, type OperatorFunction } from 'rxjs';
import { identical, same, type Law } from './law.js';
import { record, spied } from './recorder.js';

/** How to use an operator. */
export interface OperatorUse<T, R> {
  /** The item at `index` of a source, counted from 0: anything that the operator takes. */
  readonly feed: (index: number) => T;
  /** How many values leave in all when `count` items came, then the end. By default one for each item. */
  readonly outputs?: (count: number) => number;
  /** The operator with a callback that throws `error` at its first call, where it takes a callback. */
  readonly throwing?: (error: unknown) => OperatorFunction<T, R>;
  /** What two values are compared by. By default all that they hold. */
  readonly show?: (value: R) => unknown;
  /** An operator that waits for time is checked in virtual time: calls `check` there; its argument lets all time pass. */
  readonly inTime?: (check: (pass: () => void) => void) => void;
}

/**
 * The laws of an operator: never · empty · one and many · source error · throwing callback · early unsubscribe · endless
 * source · two subscribers · one terminal signal · order under re-entrance.
 *
 * ```ts
 * operatorLaws(() => map((x: number) => x + 1), { feed: (k) => k }).map(({ check }) => check()).length // => 9
 * ```
 *
 * @param make gives a fresh operator for each check
 */
export function operatorLaws<T, R>(make: () => OperatorFunction<T, R>, use: OperatorUse<T, R>): readonly Law[] {
  const { feed, outputs = (count) => count, show = (value) => value, throwing, inTime = (check) => check(() => undefined) } = use;
  const law = (title: string, check: (pass: () => void) => void): Law => ({ title, check: () => inTime(check) });
  const items = (count: number) => spied(feed, count, (subscriber) => subscriber.complete());
  const shown = (values: readonly R[]): readonly unknown[] => values.map(show);

  /** What leaves for so many items, in peace. */
  const expected = (count: number, pass: () => void): readonly unknown[] => {
    const heard = record(items(count).source$.pipe(make()));
    pass();
    return shown(heard.values);
  };

  // Far more than any law needs: an operator that pulls so many has not stopped. Virtual time is slow with many timers.
  const ENDLESS = use.inTime === undefined ? 100_000 : 200;
  const laws: readonly (Law | undefined)[] = [
    law('says nothing while its source says nothing, and lets go of it when unsubscribed', (pass) => {
      const silent = spied(feed, 0, () => undefined);
      const heard = record(silent.source$.pipe(make()));
      const never = record(NEVER.pipe(make()));
      pass();
      same([heard.story, never.story, silent.counts.tornDown], ['', '', 0], 'signals of two silent sources, and teardowns');
      heard.subscription.unsubscribe();
      never.subscription.unsubscribe();
      same([heard.story, silent.counts.tornDown], ['', 1], 'signals and teardowns after unsubscribing');
    }),

    law('ends when an empty source ends', (pass) => {
      const heard = record(items(0).source$.pipe(make()));
      pass();
      same([heard.values.length, heard.story.split(' ').at(-1)], [outputs(0), 'complete'], 'values and the last signal');
    }),

    law('answers one item and many, then completes and tears its source down', (pass) => {
      for (const count of [1, 2, 5]) {
        const source = items(count);
        const heard = record(source.source$.pipe(make()));
        pass();
        same(
          heard.story,
          [...Array.from({ length: outputs(count) }, () => 'next'), 'complete'].join(' '),
          `signals for ${count} items`,
        );
        same(source.counts, { subscribed: 1, tornDown: 1, pulled: count }, `use of a source of ${count} items`);
      }
    }),

    law('passes an error of its source on, the very same object, after the values before it', (pass) => {
      for (const error of [new Error('of the source'), 'a string', undefined]) {
        const heard = record(spied(feed, 2, (subscriber) => subscriber.error(error)).source$.pipe(make()));
        pass();
        const last = heard.signals.at(-1);
        same(last?.kind, 'error', 'the last signal');
        identical(last?.kind === 'error' ? last.error : last, error, 'the error');
        const before = shown(heard.values);
        same(before, expected(2, pass).slice(0, before.length), 'the values before it');
      }
    }),

    throwing &&
      law('turns a throw of its callback into one error, and stops its source', (pass) => {
        const error = new Error('of the callback');
        const source = spied(feed, ENDLESS, () => undefined);
        const heard = record(source.source$.pipe(throwing(error)));
        pass();
        const last = heard.signals.at(-1);
        same(heard.story, 'error', 'signals');
        const failure = last?.kind === 'error' ? last.error : last;
        identical(failure === error ? failure : (failure as { cause?: unknown }).cause, error, 'the error, or its cause');
        same(source.counts.tornDown, 1, 'teardowns of the source');
        if (use.inTime === undefined) same(source.counts.pulled < ENDLESS, true, 'the source is stopped');
      }),

    law('is silent at once after unsubscribing, wherever that happens', (pass) => {
      const source = new Subject<T>();
      const outside = record(source.pipe(make()));
      source.next(feed(0));
      outside.subscription.unsubscribe();
      const before = outside.signals.length;
      same(source.observed, false, 'the source is observed still');
      source.next(feed(1));
      source.complete();
      pass();
      same(outside.signals.length, before, 'signals');
      for (const moment of [1, 2, outputs(3) + 1]) {
        const cold = items(3);
        const inside = record(cold.source$.pipe(make()), (_, { signals, subscription }) => {
          if (signals.length === moment) subscription.unsubscribe();
        });
        pass();
        same(
          [inside.signals.length, cold.counts.tornDown],
          [moment, 1],
          `signals and teardowns when unsubscribed in signal ${moment}`,
        );
      }
    }),

    law('stops an endless source that does not wait', (pass) => {
      const endless = spied(feed, ENDLESS, () => undefined);
      const heard = record(endless.source$.pipe(make()), (_, { signals, subscription }) => {
        if (signals.length === 3) subscription.unsubscribe();
      });
      pass();
      same([heard.story, endless.counts.tornDown], ['next next next', 1], 'signals and teardowns');
      const { pulled } = endless.counts;
      if (use.inTime === undefined)
        same(pulled, use.outputs === undefined ? 3 : Math.min(pulled, ENDLESS - 1), 'items pulled for 3 values');
    }),

    law('shares nothing between two subscribers, nor between two sources', (pass) => {
      const operator = make();
      const alone = expected(3, pass);
      const cold$ = items(3).source$.pipe(operator);
      const [first, second, other] = [record(cold$), record(cold$), record(items(2).source$.pipe(operator))];
      const hot = new Subject<T>();
      const hot$ = hot.pipe(operator);
      const [one, two, leaving] = [record(hot$), record(hot$), record(hot$)];
      hot.next(feed(0));
      leaving.subscription.unsubscribe();
      hot.next(feed(1));
      hot.next(feed(2));
      hot.complete();
      pass();
      for (const heard of [first, second, one, two]) same(shown(heard.values), alone, 'the values of each subscriber');
      same(shown(other.values), expected(2, pass), 'the values of another source');
    }),

    law('ends once, and says nothing after the end, however rude its source is', (pass) => {
      for (const ends of ['complete', 'error'] as const) {
        const heard = record(
          spied(feed, 1, (subscriber) => {
            for (let time = 0; time < 2; time++) {
              if (ends === 'complete') subscriber.complete();
              else subscriber.error('the end');
              subscriber.next(feed(1));
            }
          }).source$.pipe(make()),
        );
        pass();
        same(heard.signals.filter(({ kind }) => kind !== 'next').length, 1, 'terminal signals');
        same(heard.signals.at(-1)?.kind, ends, 'the last signal');
      }
    }),

    law('keeps the order of items that its own consumer pushes', (pass) => {
      const source = new Subject<T>();
      let pushed = 1;
      const heard = record(source.pipe(make()), ({ kind }) => {
        // Two pushes in one call: the second must not overtake what the first brings about.
        for (let times = 0; times < 2 && kind === 'next' && pushed < 6; times++) source.next(feed(pushed++));
      });
      source.next(feed(0));
      while (pushed < 6) source.next(feed(pushed++));
      source.complete();
      pass();
      same(shown(heard.values), expected(6, pass), 'the values');
    }),
  ];
  return laws.filter((each) => each !== undefined);
}
