/**
 * @file Cases of float64 as a backend of float32 can judge them.
 */
import { decode, type Case, type CaseNumber } from './corpus.js';

/** What a kernel in float32 may be off by, where a case asks for float64. */
const TOLERANCE = { rtol: 1e-5, atol: 1e-6 } as const;

const isDouble = (c: Case): boolean => c.inputs.some(({ dtype }) => dtype === 'float64');

/**
 * The case with its float64 operands in float32. Elements of a function of one element are left out where float32 holds neither
 * them nor what they give; undefined where another kind of case has such an element.
 */
export function inFloat32(c: Case): Case | undefined {
  if (!isDouble(c)) return c;
  const fitting = c.kind === 'unary' ? withoutLost(c) : c;
  if (fitting.inputs.some(({ data }) => data.some(isLost)) || (fitting.expected.data ?? []).some(overflows)) return undefined;
  return {
    ...fitting,
    inputs: fitting.inputs.map((each) => (each.dtype === 'float64' ? { ...each, dtype: 'float32' } : each)),
    rtol: Math.max(c.rtol, TOLERANCE.rtol),
    atol: Math.max(c.atol, TOLERANCE.atol),
  };
}

function withoutLost(c: Case): Case {
  const [operand] = c.inputs;
  const values = c.expected.data!;
  const kept = operand.data.flatMap((value, at) => (isLost(value) || overflows(values[at]) ? [] : [at]));
  const shape = [kept.length];
  const inputs = [{ ...operand, shape, data: kept.map((at) => operand.data[at]) }];
  return { ...c, inputs, expected: { ...c.expected, shape, data: kept.map((at) => values[at]) } };
}

const overflows = (text: CaseNumber): boolean => Number.isFinite(decode(text)) && !Number.isFinite(Math.fround(decode(text)));

/** A number that becomes another one in float32: too large, too small, or an integer between two float32 numbers. */
function isLost(text: CaseNumber): boolean {
  const value = decode(text);
  const size = Math.abs(value);
  return Number.isFinite(value) && value !== Math.fround(value) && (overflows(text) || size >= 2 ** 24 || size < 2 ** -126);
}
