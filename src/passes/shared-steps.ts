/**
 * @file One parameters object for equal steps, so that equal groups are compiled once.
 */
import type { FusedStep } from '../ops/fused.js';
import type { Params } from '../ops/op.js';

/** Gives the parameters of a group, the same for the same steps. */
export function sharedSteps(): (steps: readonly FusedStep[]) => Params {
  const shared = new Map<string, Params>();
  const numbers = new Map<Params, number>();
  const texts = new Map<string, number>();
  const numberOf = (params: Params): number => {
    const text = JSON.stringify(params, plain);
    const number = texts.get(text) ?? texts.size;
    texts.set(text, number);
    return number;
  };
  return (steps) => {
    let key = '';
    for (const { op, params, args } of steps) {
      let number = numbers.get(params);
      if (number === undefined) numbers.set(params, (number = numberOf(params)));
      key += `${op} ${number} ${args.join()};`;
    }
    let params = shared.get(key);
    if (params === undefined) shared.set(key, (params = Object.freeze({ steps: Object.freeze(steps) })));
    return params;
  };
}

/** Numbers that JSON makes others of stay apart. */
const plain = (_key: string, value: unknown): unknown =>
  typeof value === 'number' && (Object.is(value, -0) || !Number.isFinite(value)) ? { number: Object.is(value, -0) ? '-0' : String(value) } : value; // prettier-ignore
