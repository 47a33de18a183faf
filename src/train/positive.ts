/**
 * @file Numbers of a configuration, checked by name.
 */
import { describeValue, fault } from '../errors/index.js';

/** @throws EinstreamError E_ARGUMENT naming the number that is not above 0 and finite */
export function requirePositive(place: string, numbers: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (typeof value === 'number' && Number.isFinite(value) && value > 0) continue;
    throw fault('E_ARGUMENT', { place, rule: `${name} must be a number above 0`, actual: describeValue(value) });
  }
}

/** @throws EinstreamError E_ARGUMENT naming the number that is not in [0, 1) */
export function requireFraction(place: string, numbers: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (typeof value === 'number' && value >= 0 && value < 1) continue;
    throw fault('E_ARGUMENT', { place, rule: `${name} must be from 0 to below 1`, actual: describeValue(value) });
  }
}

/** @throws EinstreamError E_ARGUMENT for what is no object */
export function requireOptions<T>(place: string, options: T): T {
  if (typeof options === 'object' && options !== null) return options;
  throw fault('E_ARGUMENT', { place, rule: 'options are one object', actual: describeValue(options) });
}
