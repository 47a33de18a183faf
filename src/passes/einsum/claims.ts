/**
 * @file Whether a joined term gives every label the size that it had, and which sizes its einsum must be told.
 */
import type { ValueType } from '../../graph/infer.js';
import type { Dim } from '../../ops/dims.js';
import type { Claim, Factor, Term } from './term.js';

type Types = readonly (ValueType | undefined)[];

/** Sizes by label that the spec must state. */
export type Stated = ReadonlyMap<number, number>;

/**
 * The sizes to state, or undefined where a label might get another size than it had.
 *
 * @param types as declared
 * @param sure as they are whatever params are fed: those may have other sizes than they were declared with
 */
export function statedSizes(term: Term, types: Types, sure: () => Types): Stated | undefined {
  if (!term.operands.every((operand) => isDiagonal(operand, types))) return undefined;
  const stated = new Map<number, number>();
  for (const claim of term.claims) {
    const { label, dim, kind } = claim;
    const shown = dimsUnder(term, label, types);
    if (shown.length === 0) {
      if (typeof dim !== 'number') return undefined;
      // An axis that nobody has: it repeats the result, or counts once. Repeats within a sum have no subscript.
      if (term.output.includes(label)) stated.set(label, Math.max(dim, stated.get(label) ?? 1));
      else if (dim !== 1) return undefined;
      continue;
    }
    if (kind === 'shown' && dim === 1) continue;
    if (kind === 'shown' && !shown.includes(dim)) return undefined;
    if (isMet(claim, dimsUnder(term, label, sure()))) continue;
    // Einsum refuses another size than is stated, but stretches an axis to it.
    if (typeof dim !== 'number' || !shown.includes(dim)) return undefined;
    stated.set(label, dim);
  }
  return stated;
}

const isMet = ({ dim, kind }: Claim, shown: readonly Dim[]): boolean =>
  kind === 'shown' ? shown.includes(dim) : shown.every((own) => own === dim);

/** Within an operand nothing is stretched: axes of one label have one size. */
function isDiagonal({ id, labels }: Factor, types: Types): boolean {
  if (new Set(labels).size === labels.length) return true;
  const dims = types[id]!.dims!;
  const first = new Map(labels.map((label, axis) => [label, dims[axis]]));
  return labels.every((label, axis) => dims[axis] !== null && dims[axis] === first.get(label));
}

function dimsUnder({ operands }: Term, label: number, types: Types): readonly Dim[] {
  const dims: Dim[] = [];
  for (const { id, labels } of operands)
    for (const [axis, own] of labels.entries()) if (own === label) dims.push(types[id]?.dims?.[axis] ?? null);
  return dims;
}
