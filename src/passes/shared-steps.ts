/**
 * @file One parameters object for equal steps, so that equal groups are compiled once.
 */
import type { FusedStep } from '../ops/fused.js';
import type { Params } from '../ops/op.js';

/** Gives the parameters of a group, the same for the same steps. */
export function sharedSteps(): (steps: readonly FusedStep[]) => Params {
  const shared = new Map<string, Params>();
  const numbers = new Map<Params, number>();
  return (steps) => {
    let key = '';
    for (const { op, params, args } of steps) {
      let number = numbers.get(params);
      if (number === undefined) numbers.set(params, (number = numbers.size));
      key += `${op} ${number} ${args.join()};`;
    }
    let params = shared.get(key);
    if (params === undefined) shared.set(key, (params = Object.freeze({ steps: Object.freeze(steps) })));
    return params;
  };
}
