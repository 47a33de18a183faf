/**
 * @file The S&P 500, day by day, as a stream of rows read from the CSV file of `vega-datasets`.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { defer, from, map, skip, type Observable } from 'rxjs';

/** What the graph looks at, in this order. */
export const COLUMNS = ['high', 'low', 'close'] as const;

export interface Day {
  /** As `2008-09-29`. */
  readonly date: string;
  /** US dollars, by `COLUMNS`. */
  readonly prices: readonly number[];
}

const FILE = fileURLToPath(new URL('../data/sp500-2000.csv', import.meta.resolve('vega-datasets')));
const HEADER = 'date,open,high,low,close,adjclose,volume'.split(',');

/** Every trading day of the file, the oldest first. Errors when the file is missing or a price is no number. */
export const days = (file = FILE): Observable<Day> =>
  defer(() => from(createInterface({ input: createReadStream(file), crlfDelay: Infinity }))).pipe(skip(1), map(dayOf));

function dayOf(line: string, index: number): Day {
  const cells = line.split(',');
  const prices = COLUMNS.map((name) => Number(cells[HEADER.indexOf(name)]));
  if (cells.length === HEADER.length && prices.every((price) => price > 0)) return { date: cells[0], prices };
  throw new Error(`line ${index + 2} of the prices is not ${HEADER.join()}: ${line.slice(0, 80)}`);
}
