/**
 * @file E001: two shapes that do not fit together, with each axis that differs.
 */
import type { Diagnostic } from './diagnostic.js';
import { excerpt, field } from './escape.js';
import { mismatch, nodeDiagnosis, type MismatchDetails, type NodeFault } from './mismatch.js';

/** A size as declared: a number, a name that stands for one size, or null for any. */
export type Dim = number | string | null;

const MOST_AXES = 16;

const dimText = (dim: Dim): string =>
  dim === null ? 'Dynamic' : typeof dim === 'string' ? `Symbolic(${excerpt(dim, 40)})` : `Static(${dim})`;

function shapeText(shape: readonly Dim[]): string {
  const sizes = shape.slice(0, MOST_AXES).map((dim) => (dim === null ? '?' : excerpt(String(dim), 40)));
  return `[${sizes.join(', ')}${shape.length > MOST_AXES ? `, … (${shape.length} axes)` : ''}]`;
}

/** Null admits every size; a name admits any one size, the same wherever it stands. */
function differingAxes(expected: readonly Dim[], actual: readonly Dim[]): readonly string[] {
  const bound = new Map<string, Dim>();
  return expected.flatMap((want, axis) => {
    const got = actual[axis]!;
    if (want === null || want === got) return [];
    if (typeof want === 'string') {
      if (got === null || typeof got === 'string') return [];
      const size = bound.get(want);
      if (size === undefined) bound.set(want, got);
      if (size === undefined || size === got) return [];
      return [`Dimension ${axis} mismatch: expected ${dimText(want)} = ${size}, got ${dimText(got)}`];
    }
    return [`Dimension ${axis} mismatch: expected ${dimText(want)}, got ${dimText(got)}`];
  });
}

const sorted = (shape: readonly Dim[]): string => JSON.stringify([...shape].map(String).sort());
const product = (shape: readonly Dim[]): number =>
  shape.reduce<number>((all, dim) => (typeof dim === 'number' ? all * dim : NaN), 1);

function waysOut(expected: readonly Dim[], actual: readonly Dim[]): readonly string[] {
  const reshape = `Use tensor.reshape(${shapeText(expected)}) to match the expected shape`;
  if (expected.length < actual.length)
    return [`Remove ${actual.length - expected.length} axis or axes with squeeze, or reduce over them`, reshape];
  if (expected.length > actual.length) return [`Add ${expected.length - actual.length} axis or axes with unsqueeze`, reshape];
  if (sorted(expected) === sorted(actual)) return ['Use transpose: the sizes are right, their order is not'];
  if (product(expected) === product(actual)) return [reshape, 'Check your input tensor shapes match the expected dimensions'];
  return ['Check your input tensor shapes match the expected dimensions', reshape];
}

/**
 * Tells how two shapes differ: the rank if that differs, else each axis. Given one object instead, it tells that fault.
 *
 * ```ts
 * shapeMismatch([64, 128], [64, null], 'matmul').context[1] // => 'Dimension 1 mismatch: expected Static(128), got Dynamic'
 * shapeMismatch({ node: 's', rule: 'index j must have one size', actual: 'j = 3' }).message // => '"s": index j must have one size; got j = 3'
 * ```
 */
export function shapeMismatch(
  expected: readonly Dim[],
  actual: readonly Dim[],
  op: string,
  details?: MismatchDetails,
): Diagnostic;
export function shapeMismatch(fault: NodeFault): Diagnostic;
export function shapeMismatch(
  first: readonly Dim[] | NodeFault,
  actual: readonly Dim[] = [],
  op = '',
  details: MismatchDetails = {},
): Diagnostic {
  if (!isShape(first)) return nodeDiagnosis('E_SHAPE', first);
  const sides = [`Expected shape: ${shapeText(first)}, but got: ${shapeText(actual)}`];
  const differences =
    first.length === actual.length
      ? differingAxes(first, actual)
      : [`Rank mismatch: expected rank ${first.length}, got rank ${actual.length}`];
  return mismatch(`Shape mismatch in ${field(op)} operation`, 'E001', [...sides, ...differences], waysOut(first, actual), {
    ...details,
    op,
    expected: shapeText(first),
    actual: shapeText(actual),
  });
}

const isShape = (value: readonly Dim[] | NodeFault): value is readonly Dim[] => Array.isArray(value);
