/**
 * @file From a spec and the operands' shapes to sizes: what the output's shape is, and what is to be contracted.
 *
 * Across operands a size of 1 stretches, also to 0; within one operand a repeated letter needs equal sizes. The axes
 * under `...` align at the right and may differ in number. Where the output names no ellipsis, its axes are summed
 * (as torch and JAX do).
 */
import type { Shape } from '../../tensor/shape.js';
import { isStatic, type Dim, type Dims } from '../dims.js';
import type { EinsumPlace } from './blame.js';
import { countFault, rankFault, sizeFault, unknownLetterFault, unusedSizeFault } from './faults.js';
import { joinDiagonal, joinSizes, type Sized } from './join.js';
import type { ParsedEinsum, Term } from './parse.js';

/**
 * A sum of products, free of spec and names: output[o…] = Σ over the labels not in `output` of Π operand[…].
 *
 * A label is an index into `sizes`.
 */
export interface Contraction {
  /** By label. */
  readonly sizes: readonly number[];
  /**
   * The label of each axis of each operand. A label twice in one operand is the diagonal. An axis of size 1 under a
   * label of another size is stretched: its one element serves every index.
   */
  readonly operands: readonly (readonly number[])[];
  /** Distinct labels. One that no operand has repeats the value along that axis. */
  readonly output: readonly number[];
  /** By label, for printing alone: a letter, or `…0` for an axis of the ellipsis. Never reaches a code generator. */
  readonly names: readonly string[];
  /** Shape of each operand. Absent: no axis is known to be stretched (a path is then right, but may do more work). */
  readonly shapes?: readonly Shape[];
}

export interface ResolvedEinsum {
  /** Undefined where the output has an ellipsis over an operand of unknown rank. */
  readonly output: Dims | undefined;
  /** Present when every size is known. */
  readonly contraction?: Contraction;
}

/** Labels of each operand's axes, and of the output's. */
export interface Labels {
  readonly operands: readonly (readonly number[])[];
  readonly output: readonly number[];
}

/** Sizes by letter. */
export type LetterSizes = Readonly<Record<string, number>>;

/**
 * Resolves a spec against shapes; an input of unknown rank is `undefined`.
 *
 * ```ts
 * resolveEinsum(parseEinsum('ni,io->no'), [['n', 784], [784, 10]]).output // => ['n', 10]
 * ```
 *
 * @param sizes of letters that occur only in the output (`a->ab`); others must agree with the operands
 * @throws EinstreamError E_ARGUMENT for a wrong number of operands or a size that no letter uses, E_SHAPE for ranks and
 * sizes that do not fit, E_PARSE for an output letter without a size; each with a caret under the letter
 */
export function resolveEinsum(
  parsed: ParsedEinsum,
  inputs: readonly (Dims | undefined)[],
  sizes?: LetterSizes,
  place?: EinsumPlace,
): ResolvedEinsum {
  if (inputs.length !== parsed.inputs.length) throw countFault(parsed, inputs.length, place);
  const ids = letterIds(parsed);
  const letters = ids.size;
  const span = ellipsisRank(parsed, inputs, place);
  const labelled = parsed.inputs.map((term, i) => labelsOfTerm(term, ids, letters, span, inputs[i]?.length));
  const dims = new Array<Sized | undefined>(letters + span);
  labelled.forEach((labels, operand) => joinOperand(dims, labels, parsed, inputs, operand, place));
  applySizes(dims, ids, parsed, sizes, inputs, place);

  const output = labelsOfTerm(
    parsed.output,
    ids,
    letters,
    span,
    parsed.output.labels.length + (parsed.output.ellipsis < 0 ? 0 : span),
  );
  const rankUnknown =
    parsed.output.ellipsis >= 0 && parsed.inputs.some((term, i) => term.ellipsis >= 0 && inputs[i] === undefined);
  if (rankUnknown) return { output: undefined };
  const shape = output.map((label) => dims[label]!.dim);
  const all = dims.map((sized) => sized!.dim);
  if (!isStatic(all) || !inputs.every((input) => input !== undefined && isStatic(input))) return { output: shape };
  const names = [...ids.keys(), ...Array.from({ length: span }, (_, i) => `…${i}`)];
  return { output: shape, contraction: { sizes: all, operands: labelled, output, names, shapes: inputs } };
}

/** The label of each axis, from the ranks alone. @throws EinstreamError E_SHAPE for ranks that do not fit */
export function labelsOf(parsed: ParsedEinsum, inputs: readonly (Dims | undefined)[], place?: EinsumPlace): Labels {
  const ids = letterIds(parsed);
  const span = ellipsisRank(parsed, inputs, place);
  const ofTerm = (term: Term, rank?: number): readonly number[] => labelsOfTerm(term, ids, ids.size, span, rank);
  const { output } = parsed;
  return {
    operands: parsed.inputs.map((term, i) => ofTerm(term, inputs[i]?.length)),
    output: ofTerm(output, output.labels.length + (output.ellipsis < 0 ? 0 : span)),
  };
}

/** Letters by order of appearance, those of the output alone last. */
function letterIds({ inputs, output }: ParsedEinsum): ReadonlyMap<string, number> {
  const ids = new Map<string, number>();
  for (const term of [...inputs, output]) for (const letter of term.labels) if (!ids.has(letter)) ids.set(letter, ids.size);
  return ids;
}

/** Most axes that an ellipsis stands for; checks the ranks. */
function ellipsisRank(parsed: ParsedEinsum, inputs: readonly (Dims | undefined)[], place: EinsumPlace | undefined): number {
  let most = 0;
  parsed.inputs.forEach((term, operand) => {
    const dims = inputs[operand];
    if (dims === undefined) return;
    const rest = dims.length - term.labels.length;
    if (rest < 0 || (rest > 0 && term.ellipsis < 0)) throw rankFault(parsed, operand, dims, place);
    most = Math.max(most, rest);
  });
  return most;
}

/** The label of each axis: letters, and in the ellipsis' place the last of its labels. An unknown rank gives the letters. */
function labelsOfTerm(
  term: Term,
  ids: ReadonlyMap<string, number>,
  letters: number,
  span: number,
  rank = term.labels.length,
): readonly number[] {
  const own = term.labels.map((letter) => ids.get(letter)!);
  if (term.ellipsis < 0) return own;
  const count = rank - own.length;
  const under = Array.from({ length: count }, (_, i) => letters + span - count + i);
  return [...own.slice(0, term.ellipsis), ...under, ...own.slice(term.ellipsis)];
}

function joinOperand(
  dims: (Sized | undefined)[],
  labels: readonly number[],
  parsed: ParsedEinsum,
  inputs: readonly (Dims | undefined)[],
  operand: number,
  place: EinsumPlace | undefined,
): void {
  const own = new Map<number, Sized>();
  labels.forEach((label, axis) => {
    const next: Sized = { dim: inputs[operand]?.[axis] ?? null, operand, axis };
    const before = own.get(label);
    const joined = before === undefined ? next : joinDiagonal(before, next);
    if (joined === undefined) throw sizeFault(parsed, inputs, before!, next, place);
    own.set(label, joined);
  });
  for (const [label, next] of own) {
    const before = dims[label];
    const joined = before === undefined ? next : joinSizes(before, next);
    if (joined === undefined) throw sizeFault(parsed, inputs, before!, next, place);
    dims[label] = joined;
  }
}

function applySizes(
  dims: (Sized | undefined)[],
  ids: ReadonlyMap<string, number>,
  parsed: ParsedEinsum,
  sizes: LetterSizes | undefined,
  inputs: readonly (Dims | undefined)[],
  place: EinsumPlace | undefined,
): void {
  for (const [letter, dim] of Object.entries(sizes ?? {})) {
    const label = ids.get(letter);
    if (label === undefined) throw unusedSizeFault(parsed, letter, place);
    const before = dims[label];
    if (before !== undefined && typeof before.dim === 'number' && before.dim !== dim)
      throw sizeFault(parsed, inputs, before, { dim, letter }, place);
    dims[label] = { dim: dim as Dim, operand: before?.operand ?? 0, axis: before?.axis ?? 0 };
  }
  parsed.output.labels.forEach((letter, i) => {
    if (dims[ids.get(letter)!] === undefined) throw unknownLetterFault(parsed, letter, parsed.output.at[i], place);
  });
}
