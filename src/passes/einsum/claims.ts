/**
 * @file Whether a joined term gives every label the size that it had, and which sizes its einsum must be told.
 */
import type { ValueType } from '../../graph/infer.js';
import type { Dim } from '../../ops/dims.js';
import type { Claim, Term } from './term.js';

type Types = readonly (ValueType | undefined)[];

/** Sizes by label that the spec must state. */
export type Stated = ReadonlyMap<number, number>;

/**
 * The sizes to state, or undefined where a label would get another size than it had.
 *
 * Params may be fed in other shapes than they were declared with, so what only their shapes show is stated: einsum then refuses
 * others.
 *
 * @param types as declared
 * @param sure as they are whatever params are fed
 */
export function statedSizes(term: Term, types: Types, sure: () => Types): Stated | undefined {
  const stated = new Map<number, number>();
  for (const claim of term.claims) {
    const { label, dim } = claim;
    const shown = dimsUnder(term, label, types);
    if (shown.length === 0) {
      if (dim === null || typeof dim === 'string') return undefined;
      // An axis that nobody has: it repeats the result, or counts once. Repeats within a sum have no subscript.
      if (term.output.includes(label)) stated.set(label, Math.max(dim, stated.get(label) ?? 1));
      else if (dim !== 1) return undefined;
      continue;
    }
    if (claim.kind === 'shown' && dim === 1) continue;
    if (claim.kind === 'shown' && !shown.includes(dim)) return undefined;
    if (isSure(claim, dimsUnder(term, label, sure()))) continue;
    if (typeof dim !== 'number' || shown.some((own) => typeof own !== 'number')) return undefined;
    stated.set(label, dim);
  }
  return stated;
}

const isSure = ({ dim, kind }: Claim, shown: readonly Dim[]): boolean =>
  kind === 'shown' ? shown.includes(dim) : shown.every((own) => own === dim);

function dimsUnder({ operands }: Term, label: number, types: Types): readonly Dim[] {
  const dims: Dim[] = [];
  for (const { id, labels } of operands)
    for (const [axis, own] of labels.entries()) if (own === label) dims.push(types[id]?.dims?.[axis] ?? null);
  return dims;
}
