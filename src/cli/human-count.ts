/**
 * @file Counts with a unit of thousands, for people.
 */

const UNITS = ['', ' k', ' M', ' G', ' T', ' P', ' E'] as const;

/** At most three digits and a unit: `950`, `1.57 M`; what is beyond all units as a power of ten. */
export function humanCount(count: number): string {
  let value = count;
  let unit = 0;
  // What would round to 1000 of a unit is 1 of the next.
  while (Number(value.toPrecision(3)) >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return value < 1000 ? `${Number(value.toPrecision(3))}${UNITS[unit]}` : count.toExponential(2);
}
