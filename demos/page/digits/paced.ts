/**
 * @file Work between display frames: as much as fits into a few milliseconds, so that the page goes on answering.
 */
import { animationFrameScheduler, Observable, type SchedulerLike } from 'rxjs';

/**
 * Emits the items of an iterable, as many in each turn of the scheduler as `budget` milliseconds hold, at least one. As an item is
 * only taken when the one before was worked on, whoever subscribes paces the work.
 */
export const paced = <T>(
  items: Iterable<T>,
  budget: number,
  scheduler: SchedulerLike = animationFrameScheduler,
  now: () => number = () => performance.now(),
): Observable<T> =>
  new Observable((subscriber) => {
    const iterator = items[Symbol.iterator]();
    subscriber.add(() => iterator.return?.());
    subscriber.add(
      scheduler.schedule(function () {
        const begun = now();
        do {
          const { done, value } = iterator.next();
          if (done === true) return subscriber.complete();
          subscriber.next(value);
        } while (!subscriber.closed && now() - begun < budget);
        if (!subscriber.closed) this.schedule();
      }),
    );
  });
