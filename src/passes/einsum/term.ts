/**
 * @file A node as a sum of products, in labels: what a contraction, a view or a broadcast product becomes before it is joined.
 *
 * Operands are values by id; sizes are what the types of those values say. A view is a term too, of one operand.
 */
import type { NodeId } from '../../graph/graph.js';
import type { Dim } from '../../ops/dims.js';

/** One operand: the value, and the label of each of its axes. */
export interface Factor {
  readonly id: NodeId;
  readonly labels: readonly number[];
}

/**
 * A size that a joined spec owes to what it stands for. `shown`: some operand must have it, as what stretched the label to it is
 * gone. `stated`: the label must have it, as what would have refused another is gone.
 */
export interface Claim {
  readonly label: number;
  readonly dim: Dim;
  readonly kind: 'shown' | 'stated';
}

/** output[o…] = Σ over the labels not in `output` of Π operand[…]. */
export interface Term {
  readonly operands: readonly Factor[];
  readonly output: readonly number[];
  readonly claims: readonly Claim[];
  /** By label, what it was called: a letter, where one was written. */
  readonly names: readonly (string | undefined)[];
}

/** True where nothing is multiplied and nothing summed: the elements of one operand, seen otherwise. */
export const isView = ({ operands: [only, ...more], output, claims }: Term): boolean =>
  more.length === 0 &&
  only.labels.every((label) => output.includes(label) || claims.some((claim) => claim.label === label && claim.dim === 1));

/** The term that reads the operands of `inner` where `outer` reads its result. */
export function substitute(outer: Term, at: number, inner: Term): Term {
  const names = [...outer.names];
  const labels = new Map<number, number>();
  inner.output.forEach((label, axis) => labels.set(label, outer.operands[at].labels[axis]));
  const labelOf = (label: number): number => {
    let own = labels.get(label);
    if (own === undefined) labels.set(label, (own = names.push(inner.names[label]) - 1));
    return own;
  };
  const operands = inner.operands.map(({ id, labels: own }): Factor => ({ id, labels: own.map(labelOf) }));
  return {
    operands: [...outer.operands.slice(0, at), ...operands, ...outer.operands.slice(at + 1)],
    output: outer.output,
    claims: [...outer.claims, ...inner.claims.map((claim): Claim => ({ ...claim, label: labelOf(claim.label) }))],
    names,
  };
}
