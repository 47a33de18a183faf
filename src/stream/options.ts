/**
 * @file Options of streams, checked one by one.
 */
import { describeValue, fault } from '../errors/index.js';

/** @throws EinstreamError E_ARGUMENT naming the option that is no duration */
export function readDuration(place: string, name: string, value: unknown, least: 'positive' | 'zero' = 'zero'): number {
  if (typeof value === 'number' && value < Infinity && (least === 'zero' ? value >= 0 : value > 0)) return value;
  throw fault('E_ARGUMENT', {
    place,
    rule: `${name} must be a number of milliseconds ${least === 'zero' ? '≥ 0' : 'above 0'}`,
    actual: describeValue(value),
  });
}

/** @throws EinstreamError E_ARGUMENT */
export function checkFunction(place: string, name: string, value: unknown): void {
  if (typeof value !== 'function')
    throw fault('E_ARGUMENT', { place, rule: `${name} must be a function`, actual: describeValue(value) });
}

/** @throws EinstreamError E_ARGUMENT for an option that there is not */
export function checkKnown(place: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null)
    throw fault('E_ARGUMENT', { place, rule: 'options are one object', actual: describeValue(options) });
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw fault('E_ARGUMENT', {
      place,
      rule: `option ${JSON.stringify(unknown.slice(0, 40))} is unknown`,
      expected: known.join(', '),
    });
}
