/**
 * @file A graph on units, one after another: each gives its outputs or its error, and no error ends the stream.
 */
import { Observable, Subject, type OperatorFunction, type Subscription } from 'rxjs';
import { EinstreamError } from '../errors/index.js';
import type { Feeds, Outputs } from '../run/index.js';
import { link } from '../run/link.js';
import type { Answer, Unit } from './units.js';

/**
 * Answers keep the order of units. One subscription of the operator serves all; after an error it is subscribed to again, and given
 * what it had not answered. Holds the units that the operator holds.
 */
export const eachLine =
  (operator: OperatorFunction<Feeds, Outputs>): OperatorFunction<Unit, Answer> =>
  (units$) =>
    new Observable((subscriber) => {
      const waiting: Unit[] = [];
      let feeds$: Subject<Feeds>;
      let computing: Subscription | undefined;
      let isEnding = false;

      /** What needs no computing leaves when it is its turn. */
      const settle = (): void => {
        while (waiting.length > 0 && waiting[0].feeds === undefined) subscriber.next({ unit: waiting.shift()! });
      };
      const answer = (of: { readonly outputs: Outputs } | { readonly error: unknown }): void => {
        subscriber.next({ unit: waiting.shift()!, ...of });
        settle();
      };
      const failed = (error: unknown): void => {
        // Only the run's own errors are about a unit.
        if (!(error instanceof EinstreamError) || waiting.length === 0) return subscriber.error(error);
        open();
        answer({ error });
        const own$ = feeds$;
        for (const { feeds } of [...waiting]) {
          // Another one failed, and whoever handled that gave the rest again.
          if (feeds$ !== own$) return;
          if (feeds !== undefined) feeds$.next(feeds);
        }
        if (isEnding && feeds$ === own$) feeds$.complete();
      };
      const open = (): void => {
        if (computing !== undefined) subscriber.remove(computing);
        feeds$ = new Subject();
        computing = feeds$.pipe(operator).subscribe({
          next: (outputs) => answer({ outputs }),
          error: failed,
          complete: () => subscriber.complete(),
        });
        subscriber.add(computing);
      };

      open();
      link(units$, subscriber, {
        next(unit) {
          waiting.push(unit);
          if (unit.feeds !== undefined) feeds$.next(unit.feeds);
          else settle();
        },
        error: (error: unknown) => subscriber.error(error),
        complete() {
          isEnding = true;
          feeds$.complete();
        },
      });
    });
