/**
 * @file The oracle corpus: cases with right values from independent software, and how a result is judged.
 *
 * `cases/README.md` is the contract. A family's spec is a loop:
 *
 *     describe('einsum', () => {
 *       const total = tally('einsum');
 *       for (const c of loadCases('einsum')) it(titleOf(c), () => total.check(c, () => einsum(c.spec!, ...c.inputs.map(tensorOf))));
 *     });
 */
import { readFileSync } from 'node:fs';
import { EinstreamError } from '../../src/errors/index.js';
import { arrayOf, type DType } from '../../src/tensor/dtype.js';
import { formatShape, numElements, sameShape, type Shape } from '../../src/tensor/shape.js';
import { tensorOver, type Tensor } from '../../src/tensor/tensor.js';

export type Family = 'binary' | 'bugs' | 'einsum' | 'grad' | 'quant' | 'reduce' | 'softlogic' | 'softmax' | 'unary' | 'view';

/** A JSON number, or "NaN", "Infinity", "-Infinity", "-0". */
export type CaseNumber = number | string;

export interface CaseTensor {
  readonly name?: string;
  readonly shape: Shape;
  readonly dtype: DType;
  readonly data: readonly CaseNumber[];
}

/** Values to agree with: no dtype, the engine's own rule decides it. */
export interface CaseValues {
  readonly shape: Shape;
  readonly data: readonly CaseNumber[];
}

/** Fields of single families (`grad`, `scale`, `codes` …) are read by their specs. */
export interface Expected extends Partial<CaseValues> {
  /** A hint of what is wrong: the case must throw before any kernel runs. */
  readonly error?: string;
  readonly value?: CaseValues;
  readonly grads?: Readonly<Record<string, CaseValues>>;
  readonly hvp?: Readonly<Record<string, CaseValues>>;
  readonly [field: string]: unknown;
}

export interface Tolerance {
  readonly rtol: number;
  readonly atol: number;
  readonly signedZero?: boolean;
}

export interface Case extends Tolerance {
  readonly id: string;
  readonly kind: string;
  readonly note: string;
  readonly group?: string;
  readonly spec?: string;
  readonly op?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly graph?: CaseGraph;
  readonly wrt?: readonly string[];
  readonly cotangent?: CaseTensor;
  readonly direction?: Readonly<Record<string, CaseTensor>>;
  readonly inputs: readonly CaseTensor[];
  readonly expected: Expected;
  readonly policy?: boolean;
}

export interface CaseGraph {
  readonly inputs: readonly string[];
  readonly nodes: readonly {
    readonly id: string;
    readonly op: string;
    readonly args: readonly string[];
    readonly params?: Readonly<Record<string, unknown>>;
  }[];
  readonly output: string;
}

/** All cases of a family, in file order. `bugs` has another form: `readFamily` gives it raw. */
export const loadCases = (family: Exclude<Family, 'bugs'>): readonly Case[] => readFamily(family) as readonly Case[];

export const readFamily = (family: Family): readonly unknown[] =>
  JSON.parse(readFileSync(new URL(`./cases/${family}.json`, import.meta.url), 'utf8')) as unknown[];

/** Says which case it is and what it is about. */
export const titleOf = (c: Case): string => [c.id, c.op ?? c.spec, c.note].filter(Boolean).join(' · ');

export const decode = (value: CaseNumber): number => {
  const number = Number(value);
  if (Number.isNaN(number) && value !== 'NaN') throw new Error(`the corpus holds "${value}", which is no number`);
  return number; // Number('-0') is -0
};

/** The tensor that a case gives, in an array of its dtype. */
export function tensorOf(input: CaseTensor): Tensor {
  if (numElements(input.shape) !== input.data.length)
    throw new Error(`the corpus has a tensor of shape ${formatShape(input.shape)} with ${input.data.length} elements`);
  const array = new (arrayOf(input.dtype))(input.data.length);
  input.data.forEach((value, i) => {
    array[i] = array instanceof BigInt64Array ? BigInt(value) : decode(value);
  });
  return tensorOver(array, input.dtype, input.shape);
}

/** Compares a result with the values of its case. Gives undefined, or what is wrong. */
export function compare(got: Tensor, c: Case): string | undefined {
  const { shape, data } = c.expected;
  if (shape === undefined || data === undefined)
    return `case ${c.id} expects an error (${c.expected.error}), got a tensor of shape ${formatShape(got.shape)}`;
  return compareValues(got, { shape, data }, c, isSingle(c.inputs));
}

const isSingle = (inputs: readonly CaseTensor[]): boolean =>
  inputs.some((t) => t.dtype === 'float32') && !inputs.some((t) => t.dtype === 'float64');

/**
 * Compares with given values: |got − want| ≤ atol + rtol·|want|; NaN matches NaN, an infinity itself alone.
 *
 * @param single the case is a float32 one: with rtol 0 the decimals stand for the float32 number nearest
 */
export function compareValues(got: Tensor, want: CaseValues, tolerance: Tolerance, single: boolean): string | undefined {
  if (!sameShape(got.shape, want.shape)) return `shape: expected ${formatShape(want.shape)}, got ${formatShape(got.shape)}`;
  const elements = got.data;
  if (elements.length !== want.data.length) return `data: expected ${want.data.length} elements, got ${elements.length}`;
  const faults: string[] = [];
  want.data.forEach((text, i) => {
    const decimal = decode(text);
    const value = single && tolerance.rtol === 0 ? Math.fround(decimal) : decimal;
    const actual = Number(elements[i]);
    if (!agrees(actual, value, tolerance)) faults.push(`[${i}] expected ${show(value)}, got ${show(actual)}`);
  });
  return faults.length === 0
    ? undefined
    : `${faults.length} of ${elements.length} elements differ (rtol ${tolerance.rtol}, atol ${tolerance.atol}): ${faults.slice(0, 5).join('; ')}`;
}

const show = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

function agrees(got: number, want: number, { rtol, atol, signedZero }: Tolerance): boolean {
  if (Number.isNaN(want)) return Number.isNaN(got);
  if (!Number.isFinite(want)) return got === want;
  if (want === 0 && got === 0) return signedZero !== true || Object.is(got, want);
  return Math.abs(got - want) <= atol + rtol * Math.abs(want);
}

/**
 * Computes a case and judges it, value or error. Gives undefined, or what is wrong.
 * An error must be the engine's own; whether it names the culprit is for the family's spec.
 */
export function judge(c: Case, compute: () => Tensor): string | undefined {
  let got: Tensor;
  try {
    got = compute();
  } catch (error) {
    if (c.expected.error === undefined) throw error;
    return error instanceof EinstreamError ? undefined : `expected an EinstreamError (${c.expected.error}), got ${String(error)}`;
  }
  return compare(got, c);
}
