/**
 * @file Whether a backend can do a piece of work, by its capabilities alone, and what to say when it cannot.
 */
import { fault, type EinstreamError, type Fault } from '../errors/index.js';
import type { Dims } from '../ops/dims.js';
import { isStatic } from '../ops/dims.js';
import { knownOp } from '../ops/known.js';
import { byteSize, type ComputedDType, type DType } from '../tensor/dtype.js';
import { formatShape, MAX_ELEMENTS } from '../tensor/shape.js';
import type { BackendCapabilities } from './backend.js';

/** A value that a backend would have to hold. What is not known yet is undefined, and never the reason of a refusal. */
export interface Held {
  readonly dims: Dims | undefined;
  readonly dtype: DType | undefined;
}

/** An op that a backend would have to run. */
export interface Demand {
  readonly op: string;
  readonly inputs: readonly (DType | undefined)[];
  readonly output: Held;
}

export interface Refusal {
  readonly code: 'E_OP' | 'E_DTYPE' | 'E_LIMIT';
  readonly rule: string;
  readonly expected: string;
  readonly actual: string;
}

/** Why the backend cannot hold a value: its dtype, its rank or its bytes. */
export function refusalOfValue(
  { name, dtypes, maxDims, maxTensorBytes }: BackendCapabilities,
  { dims, dtype }: Held,
): Refusal | undefined {
  if (dtype !== undefined && !dtypes.includes(dtype as ComputedDType)) {
    return { code: 'E_DTYPE', rule: `backend ${name} must know the dtype`, expected: dtypes.join(', '), actual: dtype };
  }
  if (dims === undefined) return undefined;
  if (dims.length > maxDims) {
    return {
      code: 'E_LIMIT',
      rule: `backend ${name} has a bounded number of axes`,
      expected: `at most ${maxDims}`,
      actual: `${dims.length}`,
    };
  }
  if (dtype === undefined || !isStatic(dims)) return undefined;
  const bytes = dims.reduce((product, size) => product * size, byteSize(dtype));
  if (bytes <= maxTensorBytes && bytes <= MAX_ELEMENTS * byteSize(dtype)) return undefined;
  return {
    code: 'E_LIMIT',
    rule: `backend ${name} has a bounded size of tensors`,
    expected: `at most ${maxTensorBytes} bytes`,
    actual: `${bytes} bytes (${dtype} ${formatShape(dims)})`,
  };
}

/** Why the backend cannot run an op: the op itself, a dtype, or the result's size. */
export function refusalOf(capabilities: BackendCapabilities, { op, inputs, output }: Demand): Refusal | undefined {
  const { name, excludes = [] } = capabilities;
  const own = excludes.filter(
    ({ op: excluded, results }) =>
      excluded === op && (results === undefined || (results as readonly (DType | undefined)[]).includes(output.dtype)),
  );
  if (own.some(({ dtypes }) => dtypes === undefined)) {
    return { code: 'E_OP', rule: `backend ${name} must have the op`, expected: 'another op', actual: op };
  }
  // Indices of a gather are int32 whatever it gathers.
  const isGather = knownOp(op)?.gather !== undefined;
  for (const [at, dtype] of inputs.entries()) {
    const refused = refusalOfValue(capabilities, { dims: undefined, dtype });
    if (refused !== undefined) return refused;
    if (isGather && at > 0) continue;
    const excluded = own.find(({ dtypes }) => (dtypes as readonly (DType | undefined)[]).includes(dtype));
    if (excluded === undefined) continue;
    const others = capabilities.dtypes.filter((each) => !own.some(({ dtypes }) => dtypes!.includes(each)));
    const result = excluded.results === undefined ? '' : ` and a result of ${output.dtype}`;
    return {
      code: 'E_DTYPE',
      rule: `backend ${name} must have ${op} for the dtype${result}`,
      expected: others.length === 0 ? 'another result' : others.join(', '),
      actual: dtype!,
    };
  }
  return refusalOfValue(capabilities, output);
}

/** The refusal as an error: where, why, and who could do it. */
export function refused({ code, ...reason }: Refusal, place: Partial<Fault>, alternatives: readonly string[]): EinstreamError {
  const [other] = alternatives;
  const hint =
    other !== undefined
      ? `use backend ${other}, which can`
      : code === 'E_LIMIT'
        ? 'use smaller tensors'
        : 'cast the operands first';
  return fault(code, { ...place, ...reason, hint });
}
