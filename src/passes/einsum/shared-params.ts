/**
 * @file One parameters object for equal specs, so that equal einsums are compiled once.
 */
import type { EinsumParams } from '../../ops/einsum/einsum.js';
import type { Params } from '../../ops/op.js';

/** Gives parameters, frozen, the same for the same spec and sizes. */
export function sharedParams(): (params: EinsumParams) => Params {
  const known = new Map<string, Params>();
  return ({ spec, sizes }) => {
    const key = JSON.stringify([spec, sizes]);
    let shared = known.get(key);
    if (shared === undefined)
      known.set(key, (shared = Object.freeze(sizes === undefined ? { spec } : { spec, sizes: Object.freeze(sizes) })));
    return shared;
  };
}
