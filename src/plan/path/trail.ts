/**
 * @file Writes the steps of a path: what each result keeps, and what each step costs.
 *
 * A label is summed by the step after which nobody needs it: neither the output nor another value still to come.
 */
import type { Contraction } from '../../ops/einsum/resolve.js';
import { elementsOf, heldLabels } from './held.js';
import type { PathStep } from './types.js';

export interface Trail {
  /** Labels of each slot so far, without those it is stretched along. */
  readonly slots: readonly (readonly number[])[];
  readonly steps: readonly PathStep[];
  /** True for labels that only the last step may drop. */
  readonly keep: readonly boolean[];
  /** Contracts one slot or two; gives the slot of the result. */
  contract(...inputs: PathStep['inputs']): number;
}

export function startTrail(contraction: Contraction): Trail {
  const { sizes, output } = contraction;
  const slots = [...heldLabels(contraction)];
  const steps: PathStep[] = [];
  const users = sizes.map(() => 0);
  for (const labels of slots) for (const label of labels) users[label]++;
  const isOutput = sizes.map(() => false);
  for (const label of output) isOutput[label] = true;
  // Summing an index of size 0 early would leave a 0 to be multiplied by Infinity, where the loop has no term at all.
  const keep = sizes.map((size, label) => isOutput[label] || size === 0);
  let live = slots.length;

  return {
    slots,
    steps,
    keep,
    contract(...inputs) {
      const [first, second = []] = inputs.map((slot) => slots[slot]);
      const mine = new Set(first);
      const all = [...first, ...second.filter((label) => !mine.has(label))];
      for (const slot of inputs) for (const label of slots[slot]) users[label]--;
      live -= inputs.length - 1;
      const isLast = live === 1;
      const isKept = (label: number): boolean => (isLast ? isOutput[label] : keep[label] || users[label] > 0);
      const dropped = all.filter((label) => !isKept(label));
      const kept = isLast ? output : all.filter(isKept);
      for (const label of kept) users[label]++;
      const elements = elementsOf(kept, sizes);
      const terms = elementsOf([...kept, ...dropped], sizes);
      const isSum = dropped.some((label) => sizes[label] !== 1); // one term is no sum
      steps.push({ inputs, output: kept, flops: terms * (inputs.length === 2 && isSum ? 2 : 1), elements });
      return slots.push(kept) - 1;
    },
  };
}
