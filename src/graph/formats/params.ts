/**
 * @file Parameters read from a text: checked where that is possible, and kept as they are for `validate` where not.
 */
import type { Params } from '../../ops/op.js';
import { readParams } from '../../ops/params.js';
import { findOp } from '../../ops/registry.js';
import { EinstreamError } from '../../errors/index.js';
import { textOfParams } from '../plainText.js';

const NONE: Params = Object.freeze(Object.create(null) as Record<string, unknown>);

/**
 * Gives one frozen object for equal parameters of an op, so that a million nodes hold a few.
 * Absent parameters take the op's defaults.
 */
export function paramsReader(): (op: string, given: Params) => Params {
  const shared = new Map<string, Params>();
  return (op, given) => {
    const key = `${op}${textOfParams(given)}`;
    let params = shared.get(key);
    if (params === undefined) shared.set(key, (params = checked(op, given)));
    return params;
  };
}

function checked(name: string, given: Params): Params {
  const op = findOp(name);
  if (op === undefined) return Object.freeze(given);
  try {
    return readParams(op, given, { op: name });
  } catch (error) {
    if (error instanceof EinstreamError) return Object.freeze(given);
    throw error;
  }
}

/** Parameters of a node that states none. */
export const noParams = NONE;
