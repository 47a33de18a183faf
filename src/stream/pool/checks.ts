/**
 * @file Options of pools, checked one by one.
 */
import { describeValue, fault, type EinstreamError } from '../../errors/index.js';

export const wrong = (place: string, rule: string, value: unknown): EinstreamError =>
  fault('E_ARGUMENT', { place, rule, actual: describeValue(value) });

/** @throws EinstreamError E_ARGUMENT for an option outside its range */
export function number(place: string, value: number, least: number, kind: 'integer' | 'any' = 'any'): number {
  const isFit =
    typeof value === 'number' && value >= least && (kind === 'any' || value === Infinity || Number.isSafeInteger(value));
  if (!isFit) throw wrong(place, `it is ${kind === 'integer' ? 'an integer' : 'a number'} ≥ ${least}`, value);
  return value;
}

/** Of workers, or of MiB: what there is has an end. @throws EinstreamError E_ARGUMENT */
export function finite(place: string, value: number, least: number): number {
  if (!Number.isSafeInteger(value) || value < least || value > 2 ** 20)
    throw wrong(place, `it is an integer from ${least} to ${2 ** 20}`, value);
  return value;
}

/** @throws EinstreamError E_ARGUMENT */
export function choice<T extends string>(place: string, value: T | undefined, choices: readonly T[]): T | undefined {
  if (value === undefined || choices.includes(value)) return value;
  throw wrong(place, `it is ${choices.map((each) => `'${each}'`).join(' or ')}`, value);
}
