/**
 * @file What a term costs: multiplications and additions, and the elements of what it writes on the way.
 *
 * Sizes that are not known yet are taken to be alike. Of at most ten operands that decides how much is gained, not whether
 * anything is lost: the cheapest order of the joined term is never dearer than the order in which it was written.
 */
import type { ValueType } from '../../graph/infer.js';
import type { Dim, Dims } from '../../ops/dims.js';
import type { Contraction } from '../../ops/einsum/resolve.js';
import { contractionPath, type ContractionPath } from '../../plan/path/index.js';
import type { Term } from './term.js';

/** What stands for a size that is not known. */
const UNKNOWN = 64;

const sizeOf = (dim: Dim): number => (typeof dim === 'number' ? dim : UNKNOWN);

/** Elements of a value of this shape. */
export const elementsOf = (dims: Dims): number => dims.reduce<number>((product, dim) => product * sizeOf(dim), 1);

/** The path of a term; terms of equal labels and sizes are searched for once. */
export function measure(types: readonly (ValueType | undefined)[]): (term: Term) => ContractionPath {
  const known = new Map<string, ContractionPath>();
  return (term) => {
    const contraction = contractionOf(term, types);
    const { operands, output, sizes, shapes } = contraction;
    const key = `${operands.join(';')}>${output.join()}|${sizes.join()}|${shapes!.join(';')}`;
    let path = known.get(key);
    if (path === undefined) known.set(key, (path = contractionPath(contraction)));
    return path;
  };
}

/** The term with a number for each size. */
function contractionOf({ operands, output, claims, names }: Term, types: readonly (ValueType | undefined)[]): Contraction {
  const sizes = names.map(() => 1);
  const widen = (label: number, dim: Dim): void => void (sizes[label] = wider(sizes[label], dim));
  for (const { id, labels } of operands) for (const [axis, label] of labels.entries()) widen(label, types[id]!.dims![axis]);
  for (const { label, dim } of claims) widen(label, dim);
  return {
    sizes,
    operands: operands.map(({ labels }) => labels),
    output,
    names: names.map((name, label) => name ?? `x${label}`),
    shapes: operands.map(({ id, labels }) => labels.map((label, axis) => (types[id]!.dims![axis] === 1 ? 1 : sizes[label]))),
  };
}

/** A known size wins over one that stands for another. */
const wider = (size: number, dim: Dim): number =>
  dim === 1 ? size : typeof dim === 'number' ? dim : size === 1 ? UNKNOWN : size;

/** Elements of all intermediate values of a path. */
export const writtenBy = ({ steps }: ContractionPath): number =>
  steps.slice(0, -1).reduce((sum, { elements }) => sum + elements, 0);
