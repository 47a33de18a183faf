/**
 * @file Days in, scored days out: one pipe.
 */
import { connect, map, zip, type OperatorFunction } from 'rxjs';
import { run } from '../../src/index.js';
import { anomaly, DAYS } from './anomaly.js';
import { COLUMNS, type Day } from './days.js';
import { rolling } from './rolling.js';

export interface ScoredDay {
  readonly date: string;
  /** Mahalanobis distance; about √3 on a usual day. */
  readonly score: number;
  /** Log return of the close. */
  readonly change: number;
  /** Milliseconds from the window to its score. */
  readonly latency: number;
}

export const scoreDays = (): OperatorFunction<Day, ScoredDay> => (days$) =>
  days$.pipe(
    rolling(DAYS, COLUMNS.length),
    map((window) => ({ ...window, at: performance.now() })),
    connect((windows$) =>
      zip(
        windows$,
        windows$.pipe(
          map(({ prices }) => ({ prices })),
          run(anomaly),
        ),
      ),
    ),
    map(([{ date, at }, { score, change }]) => ({
      date,
      score: score.data[0] as number,
      change: change.data[0] as number,
      latency: performance.now() - at,
    })),
  );
