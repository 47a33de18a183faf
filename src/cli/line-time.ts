/**
 * @file The time of a line: milliseconds since the epoch, or a date as ISO 8601 writes it.
 */
import type { EinstreamError } from '../errors/index.js';
import { quoted } from '../errors/index.js';
import type { JsonFault, JsonReader } from '../graph/json/index.js';
import type { Tensor } from '../tensor/tensor.js';

/** A time of day needs its zone: without one it would be that of the machine. */
const ISO = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

export const noTime = (name: string): JsonFault => ({
  rule: `${quoted(name)} is the time of a line`,
  expected: 'milliseconds since the epoch, or text such as 2008-09-29 or 2008-09-29T14:30:00Z',
});

/** @throws EinstreamError E_FEED at its place */
export function readTime(reader: JsonReader, name: string): number {
  const at = reader.offset();
  const wrong = (): EinstreamError => reader.fault('E_FEED', noTime(name), at);
  if (reader.peek() === 'number') {
    const [time] = reader.numbers().data;
    return time;
  }
  if (reader.peek() !== 'string') throw wrong();
  const text = reader.string();
  const time = ISO.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(time)) throw wrong();
  return time;
}

/** The same of a value that is an input, too. */
export function timeOf(value: Tensor, wrong: () => EinstreamError): number {
  const time = value.size === 1 ? Number(value.data[0]) : NaN;
  if (!Number.isFinite(time)) throw wrong();
  return time;
}
