/**
 * @file What is said of each answer: a line of outputs, or a line of error that names the lines of feeds that it is about.
 */
import { EinstreamError } from '../errors/index.js';
import type { Outputs } from '../run/index.js';
import { errorLine } from './error-line.js';
import type { Answer, Told, Unit } from './units.js';

export interface TellingOptions {
  readonly print: (outputs: Outputs) => string;
  /** What the feeds are called in errors. */
  readonly file: string;
  /** Hears of each line or window that failed. */
  readonly failed: (error: unknown) => void;
}

/** What is no error of the engine is thrown: it is about no line. */
export const telling =
  ({ print, file, failed }: TellingOptions) =>
  ({ unit, outputs, error = unit.error }: Answer): Told => {
    if (unit.late !== undefined) return { to: 'late', text: unit.late };
    const wrong = (thrown: unknown): Told => {
      if (!(thrown instanceof EinstreamError)) throw thrown;
      failed(thrown);
      return { to: 'error', text: `${errorLine(thrown, { file, line: unit.first })}${linesOf(unit)}` };
    };
    if (outputs === undefined) return wrong(error);
    try {
      return { to: 'out', text: spanned(unit, print(outputs)) };
    } catch (thrown) {
      return wrong(thrown);
    }
  };

/** How a window says which one it is, as the first member of its outputs. */
export const WINDOW_KEY = 'window';

const spanned = ({ span }: Unit, text: string): string =>
  span === undefined ? text : `{"${WINDOW_KEY}":[${span.start},${span.end}]${text === '{}' ? '' : ','}${text.slice(1)}`;

const linesOf = ({ first, last, span }: Unit): string =>
  span === undefined || first === last ? '' : ` [window of lines ${first} to ${last}]`;
