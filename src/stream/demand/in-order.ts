/**
 * @file Work on several items at once, whose results leave in the order of the items.
 */
import { Observable, type OperatorFunction } from 'rxjs';
import { fifo } from '../../run/fifo.js';
import { link, listener } from '../../run/link.js';

/** What has become of the items so far. received = delivered + running + buffered, while nothing has failed. */
export interface Load {
  received: number;
  delivered: number;
  /** Being worked on, or done and waiting for those before it. */
  running: number;
  /** Not begun. */
  buffered: number;
  peakRunning: number;
  peakBuffered: number;
}

export const noLoad = (): Load => ({ received: 0, delivered: 0, running: 0, buffered: 0, peakRunning: 0, peakBuffered: 0 });

interface Place<B> {
  isDone: boolean;
  readonly results: B[];
}

/**
 * `mergeMap` with its results in order: an item keeps its place until those before it have left, so at most `concurrency` are running
 * or done, and every other one has not begun.
 *
 * @param load is written: one for each subscription
 */
export const inOrder =
  <A, B>(work: (item: A) => Observable<B>, concurrency: number, load: Load): OperatorFunction<A, B> =>
  (items$) =>
    new Observable((subscriber) => {
      const inbox = fifo<A>();
      const places = fifo<Place<B>>();
      let first: Place<B> | undefined;
      let isBusy = false;
      let isEnding = false;

      const begin = (item: A): void => {
        const place: Place<B> = { isDone: false, results: [] };
        if (first === undefined) first = place;
        else places.push(place);
        load.peakRunning = Math.max(load.peakRunning, ++load.running);
        const inner = listener<B>({
          next: (result) => void place.results.push(result),
          error: (error: unknown) => subscriber.error(error),
          complete() {
            place.isDone = true;
            subscriber.remove(inner);
            advance();
          },
        });
        subscriber.add(inner);
        work(item).subscribe(inner);
      };
      /** Its place goes to the next item before its results leave, which may bring another one. */
      const release = ({ results }: Place<B>): void => {
        first = places.shift();
        load.running--;
        load.delivered++;
        if (!inbox.isEmpty()) {
          load.buffered--;
          begin(inbox.shift()!);
        }
        for (const result of results) subscriber.next(result);
      };
      /** One loop for all that may follow from one another, so that nothing nests. */
      const advance = (): void => {
        if (isBusy) return;
        isBusy = true;
        while (!subscriber.closed && first?.isDone === true) release(first);
        isBusy = false;
        if (isEnding && first === undefined) subscriber.complete();
      };
      link(items$, subscriber, {
        next(item) {
          load.received++;
          if (load.running < concurrency) begin(item);
          else {
            load.peakBuffered = Math.max(load.peakBuffered, ++load.buffered);
            inbox.push(item);
          }
        },
        error: (error: unknown) => subscriber.error(error),
        complete() {
          isEnding = true;
          advance();
        },
      });
    });
