/**
 * @file Which operand an elementwise kernel may write its result over.
 */
import type { Work } from '../codegen/lower.js';
import type { Access } from '../codegen/ir.js';

/**
 * Positions of the operands that are walked exactly as the result is: each element is read before its place is written, so
 * the result may lie where such an operand lies. Empty for kernels that read an element after they have written another.
 */
export function overwritable({ calls }: Work): readonly number[] {
  const [only] = calls;
  if (calls.length !== 1 || only.ir.kind !== 'nest' || only.ir.folds.length > 0 || only.ir.emits !== 'group') return [];
  const { inputs, output } = only.ir;
  const read = only.inputs.flatMap((place, k) => (place.of === 'input' ? [{ position: place.index, access: inputs[k] }] : []));
  const positions = [...new Set(read.map(({ position }) => position))];
  // A kernel may read one operand in several ways.
  return positions.filter((own) => read.every(({ position, access }) => position !== own || isSameWalk(access, output)));
}

const isSameWalk = (a: Access, b: Access): boolean =>
  a.dtype === b.dtype && a.offset === b.offset && a.strides.every((stride, axis) => stride === b.strides[axis]);
