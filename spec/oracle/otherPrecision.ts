/**
 * @file A case of the corpus in the precision that it was not written for.
 */
import { decode, type Case } from './corpus.js';

const isExact = (value: number): boolean => Number.isNaN(value) || Math.fround(value) === value;

/** The case with inputs of the other precision; undefined where that changes what is computed. */
export function inOtherPrecision(c: Case): Case | undefined {
  if (c.expected.error !== undefined) return undefined;
  if (!c.inputs.every(({ data }) => data.every((value) => isExact(decode(value))))) return undefined;
  const other = c.inputs.some(({ dtype }) => dtype === 'float64') ? 'float32' : 'float64';
  return { ...c, inputs: c.inputs.map((input) => ({ ...input, dtype: other })) };
}

/** Either precision computes in float64 and rounds once, so one float32 rounding apart is all that is allowed. */
export const withRounding = (c: Case): Case => ({ ...c, rtol: Math.max(c.rtol, 2 ** -22), atol: Math.max(c.atol, 2 ** -149) });
