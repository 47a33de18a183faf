/**
 * @file A path as a list of contractions, each complete in itself: what a backend executes one after another.
 */
import type { Contraction } from '../../ops/einsum/resolve.js';
import type { Shape } from '../../tensor/shape.js';
import { heldLabels } from './held.js';
import type { ContractionPath, PathStep } from './types.js';

/** One step, complete in itself. */
export interface PairwiseStep {
  /** Slots of the operands: operand i of the whole is slot i, the result of step k slot n + k (of n operands). */
  readonly inputs: PathStep['inputs'];
  /** With labels of its own: those of the result first, then the summed ones. */
  readonly contraction: Contraction;
  /** Shape of the result. */
  readonly shape: Shape;
}

/**
 * The steps of `path` as contractions of one or two operands. The last one gives the result of the whole.
 *
 * Operands that the whole stretches are stretched by the step that needs it, and no sooner.
 *
 * ```ts
 * const path = einsumPath('ij,jk,k->i', [[2, 3], [3, 4], [4]]);
 * pairwise(path.contraction, path).map((step) => step.shape) // => [[3], [2]]
 * ```
 */
export function pairwise(whole: Contraction, path: ContractionPath): readonly PairwiseStep[] {
  const { sizes, operands, names } = whole;
  const held = [...heldLabels(whole)];
  const axes = [...operands];
  const shapes: Shape[] | undefined = whole.shapes === undefined ? undefined : [...whole.shapes];
  return path.steps.map(({ inputs, output }) => {
    const full = new Set([...inputs.flatMap((slot) => held[slot]), ...output]);
    const labels = [...new Set([...output, ...inputs.flatMap((slot) => axes[slot])])];
    const local = new Map(labels.map((label, i) => [label, i]));
    const shape = output.map((label) => sizes[label]);
    const step: PairwiseStep = {
      inputs,
      shape,
      contraction: {
        // A label that every operand here is stretched along has one index: another step brings the others.
        sizes: labels.map((label) => (full.has(label) ? sizes[label] : 1)),
        operands: inputs.map((slot) => axes[slot].map((label) => local.get(label)!)),
        output: output.map((_, i) => i),
        names: labels.map((label) => names[label]),
        ...(shapes === undefined ? {} : { shapes: inputs.map((slot) => shapes[slot]) }),
      },
    };
    held.push(output);
    axes.push(output);
    shapes?.push(shape);
    return step;
  });
}
