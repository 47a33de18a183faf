/**
 * @file The windows of the main job as feeds for the command line, one JSON object a line.
 *
 *     npm run --silent demo demos/feeds.ts | npx einstream run demos/anomaly.json > scores.ndjson
 */
import { map } from 'rxjs';
import { DAYS } from './sp500/anomaly.js';
import { COLUMNS, days } from './sp500/days.js';
import { rolling } from './sp500/rolling.js';

// `| head` has seen enough: no reason to complain.
process.stdout.on('error', () => process.exit());

const lines$ = days().pipe(
  rolling(DAYS, COLUMNS.length),
  map(({ prices }) => JSON.stringify({ prices: prices.toArray() })),
);
await lines$.forEach((line) => void process.stdout.write(`${line}\n`));
