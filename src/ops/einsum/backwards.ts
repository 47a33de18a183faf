/**
 * @file The gradient of a contraction: again a contraction, of the result's gradient and the other operands.
 *
 * For operand k: dxₖ = einsum(output, others → the labels of k). Labels that k alone had were summed, so their gradient is the
 * same all along them; a label twice in k was a diagonal, so the gradient lies on it and the rest is 0.
 */
import { fault } from '../../errors/index.js';
import type { Dims } from '../dims.js';
import { dimsOf } from '../dimsOf.js';
import type { Operand } from '../interpreter.js';
import type { GradientOps, SharedRules } from '../vjp.js';
import { parseEinsum } from './parse.js';
import { labelsOf, type Labels } from './resolve.js';
import { isSame } from '../as-shape.js';

/** Gradients of all operands of an einsum. @throws as `contractionGradients` */
export const einsumGradients: SharedRules['einsum'] = (dy, inputs, spec, g) =>
  contractionGradients(dy, inputs, labelsOf(parseEinsum(spec), inputs.map(dimsOf)), g);

/** Gradients of all operands. @throws EinstreamError E_GRADIENT above 52 labels, which a spec cannot name */
export function contractionGradients(
  dy: Operand,
  inputs: readonly Operand[],
  { operands, output }: Labels,
  g: GradientOps,
): readonly Operand[] {
  return operands.map((own, k) => {
    const others = inputs.filter((_, i) => i !== k);
    const terms = [output, ...operands.filter((_, i) => i !== k)];
    const unique = [...new Set(own)];
    const reached = unique.filter((label) => terms.some((term) => term.includes(label)));
    const summed = g.einsum(dy, ...others, { spec: specOf(terms, reached) });
    const absent = unique.flatMap((label, axis) => (reached.includes(label) ? [] : [axis]));
    const placed = absent.length === 0 ? summed : g.unsqueeze(summed, { axis: absent });
    if (unique.length === own.length)
      return isSame(dimsOf(placed), dimsOf(inputs[k])) ? placed : g.broadcastLike(placed, inputs[k]);
    const diagonal = g.einsum(inputs[k], { spec: specOf([own], unique) });
    const full = g.sumLike(g.broadcastLike(placed, diagonal), diagonal);
    return g.diagEmbed(full, { axes: own.map((label) => unique.indexOf(label)) });
  });
}

function specOf(terms: readonly (readonly number[])[], output: readonly number[]): string {
  const labels = [...new Set(terms.flat())];
  if (labels.length > 52)
    throw fault('E_GRADIENT', { op: 'einsum', rule: 'a gradient names at most 52 labels', actual: String(labels.length) });
  const letters = (term: readonly number[]): string =>
    term.map((label) => String.fromCharCode(labels.indexOf(label) + (labels.indexOf(label) < 26 ? 97 : 39))).join('');
  return `${terms.map(letters).join(',')}->${letters(output)}`;
}

/** What is known of an operand whose rank decides the rule. @throws EinstreamError E_GRADIENT where it is not known */
export function rankedDims(operand: Operand, op: string): Dims {
  const dims = dimsOf(operand);
  if (dims !== undefined) return dims;
  throw fault('E_GRADIENT', {
    op,
    rule: `the gradient of ${op} needs the ranks of its operands`,
    actual: 'an operand of unknown rank',
    hint: 'declare the dims of the inputs',
  });
}
