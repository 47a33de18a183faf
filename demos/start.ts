/**
 * @file The main job: find the strangest days of the S&P 500 by streaming its prices through one graph.
 *
 *     npm start
 *
 * Rows of a CSV file → rolling windows (views, no copies) → `run(graph)` → a score for each day. The graph is
 * `demos/sp500/anomaly.ts`; `demos/anomaly.json` is the same graph as a file, for the command line.
 */
import { lastValueFrom, toArray } from 'rxjs';
import { days } from './sp500/days.js';
import { showProgress } from './sp500/progress.js';
import { reportOf } from './sp500/report.js';
import { scoreDays, type ScoredDay } from './sp500/score.js';

/** Days in the file, nearly: for the progress line alone. */
const TOTAL = 5000;

const started = performance.now();
const scored = await lastValueFrom(
  days().pipe(
    scoreDays(),
    showProgress<ScoredDay>(TOTAL, ({ date }) => date),
    toArray(),
  ),
);
console.log(reportOf(scored, (performance.now() - started) / 1000));
