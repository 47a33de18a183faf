/**
 * @file The whole table of ops and dtypes: what a backend claims, cell by cell, so that a test can hold it to it.
 */
import { EinstreamError, fault, type Diagnostic } from '../errors/index.js';
import type { AnyOp, Example, Params } from '../ops/op.js';
import { allOps } from '../ops/registry.js';
import { COMPUTED_DTYPES, isComputed, STORAGE_DTYPES, type ComputedDType, type DType } from '../tensor/dtype.js';
import type { Backend } from './backend.js';
import { checkBackend, explained, nodeRefusal } from './supports.js';

/** One op on operands of one dtype. */
export interface SupportCell {
  readonly op: string;
  /** Of the operands; indices of a gather are int32 whatever it says. */
  readonly dtype: DType;
  readonly isNative: boolean;
  /** Why not: `E_OP` or `E_DTYPE`. */
  readonly diagnostic?: Diagnostic;
  readonly alternatives: readonly string[];
}

/**
 * For every op and every dtype, whether a graph of that op on operands of that dtype runs on the backend.
 *
 * ```ts
 * supportTable(js()).find(({ op, dtype }) => op === 'exp' && dtype === 'float64').isNative // => true
 * supportTable(js()).find(({ op, dtype }) => op === 'exp' && dtype === 'int8').diagnostic.code // => 'E002'
 * ```
 */
export function supportTable(backend: Backend): readonly SupportCell[] {
  checkBackend(backend);
  return allOps().flatMap((op) => [...COMPUTED_DTYPES, ...STORAGE_DTYPES].map((dtype) => cell(backend, op, dtype)));
}

/** Dtypes of an op's operands when they are `dtype` wherever the op leaves the choice. */
export const operandDTypes = <T extends DType>(
  op: AnyOp,
  dtype: T,
  count = firstExample(op).inputs.length,
): readonly (T | 'int32')[] => Array.from({ length: count }, (_, at) => (op.gather !== undefined && at === 1 ? 'int32' : dtype));

function firstExample(op: AnyOp): { readonly inputs: readonly unknown[]; readonly params: Params } {
  const [example] = op.examples;
  if (Array.isArray(example)) return { inputs: [example[0]], params: {} };
  const { inputs, params = {} } = example as Example;
  return { inputs, params };
}

function cell({ capabilities }: Backend, op: AnyOp, dtype: DType): SupportCell {
  const no = (diagnostic: Diagnostic, alternatives: readonly string[] = []): SupportCell => ({
    op: op.name,
    dtype,
    isNative: false,
    diagnostic,
    alternatives,
  });
  if (!isComputed(dtype)) {
    const ways = { expected: COMPUTED_DTYPES.join(', '), actual: dtype, hint: "convert first: cast(t, { dtype: 'float32' })" };
    return no(fault('E_DTYPE', { op: op.name, rule: 'graphs compute with computed dtypes alone', ...ways }).diagnostic);
  }
  const { params } = firstExample(op);
  const inputs = operandDTypes<ComputedDType>(op, dtype);
  try {
    const output = { dims: undefined, dtype: op.dtype(inputs, params) };
    const refused = nodeRefusal(capabilities, { op: op.name, params, inputs, output });
    if (refused === undefined) return { op: op.name, dtype, isNative: true, alternatives: [] };
    const { diagnostic, alternatives } = explained(refused, { op: op.name });
    return no(diagnostic, alternatives);
  } catch (error) {
    // The op itself is not defined for the dtype: no backend could.
    if (error instanceof EinstreamError) return no(error.diagnostic);
    throw error;
  }
}
