/**
 * @file Which labels each operand really has: those it is stretched along are left to the others.
 *
 * An operand of shape [1] under a label of size 3 gives the same factor to every term. It is a scalar to the search,
 * so that stretching it is never paid for before it must be.
 */
import type { Contraction } from '../../ops/einsum/resolve.js';

/** The distinct labels of each operand, without those it is stretched along. */
export function heldLabels({ operands, sizes, shapes }: Contraction): readonly (readonly number[])[] {
  if (shapes === undefined) return operands.map((labels) => [...new Set(labels)]);
  const isFull = (operand: number, axis: number, label: number): boolean => shapes[operand][axis] === sizes[label];
  const full = operands.map((labels, i) => new Set(labels.filter((label, axis) => isFull(i, axis, label))));
  const somewhere = new Set(full.flatMap((labels) => [...labels]));
  // A label that is stretched in every operand still counts the terms, so all of them keep it.
  return operands.map((labels, i) => [...new Set(labels)].filter((label) => full[i].has(label) || !somewhere.has(label)));
}

/** Elements over some labels. An overflow counts as infinite, yet nothing is nothing. */
export function elementsOf(labels: Iterable<number>, sizes: readonly number[]): number {
  let product = 1;
  for (const label of labels) {
    if (sizes[label] === 0) return 0;
    product *= sizes[label];
  }
  return product;
}
