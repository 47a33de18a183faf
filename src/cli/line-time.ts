/**
 * @file The time of a line: milliseconds since the epoch, or a date as ISO 8601 writes it.
 */
import { quoted, type EinstreamError } from '../errors/index.js';
import type { JsonFault, JsonReader } from '../graph/json/index.js';
import type { Tensor } from '../tensor/tensor.js';

/** A time of day needs its zone: without one it would be that of the machine. */
const ISO = /^(\d{4})-(\d\d)-(\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

export const noTime = (name: string, actual?: string): JsonFault => ({
  rule: `${quoted(name)} is the time of a line`,
  expected: 'milliseconds since 1970, or text such as 2008-09-29 or 2008-09-29T14:30:00Z',
  ...(actual === undefined ? {} : { actual: quoted(actual) }),
});

/** @throws EinstreamError E_FEED at its place */
export function readTime(reader: JsonReader, name: string): number {
  const at = reader.offset();
  if (reader.peek() === 'number') {
    const [time] = reader.numbers().data;
    return time;
  }
  if (reader.peek() !== 'string') throw reader.fault('E_FEED', noTime(name), at);
  const text = reader.string();
  const time = parsed(text);
  if (time === undefined) throw reader.fault('E_FEED', noTime(name, text), at);
  return time;
}

function parsed(text: string): number | undefined {
  const [, year, month, day] = ISO.exec(text) ?? [];
  // What parses dates lets a 30th of February pass, as a day of March.
  if (year === undefined || new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day)) return undefined; // prettier-ignore
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** The same of a value that is an input, too. */
export function timeOf(value: Tensor, wrong: () => EinstreamError): number {
  const time = value.size === 1 ? Number(value.data[0]) : NaN;
  if (!Number.isFinite(time)) throw wrong();
  return time;
}
