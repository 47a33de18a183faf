/**
 * @file Loops that say the same in fewer axes: sizes of 1 disappear, axes that lie behind one another join.
 *
 * A contiguous elementwise kernel becomes one loop, whatever its rank, and equal work gets an equal kernel.
 */
import type { Access, NestIR } from './ir.js';

export function simplify(nest: NestIR): NestIR {
  const accesses = [...nest.inputs, nest.output];
  const kept: number[] = [];
  const joined: { extent: number; strides: number[] }[] = [];
  let outer = 0;
  for (let axis = 0; axis < nest.extents.length; axis++) {
    const extent = nest.extents[axis];
    if (extent === 1) continue;
    const strides = accesses.map((access) => access.strides[axis]);
    const last = joined.at(-1);
    const sameRole = kept.length > 0 && kept.at(-1)! < nest.outer === axis < nest.outer;
    // Row-major order of iteration is kept, so joining changes neither order nor result.
    if (last !== undefined && sameRole && strides.every((stride, k) => last.strides[k] === stride * extent)) {
      last.extent *= extent;
      last.strides = strides;
      kept[kept.length - 1] = axis;
    } else {
      joined.push({ extent, strides });
      kept.push(axis);
      if (axis < nest.outer) outer++;
    }
  }
  const access = (of: Access, k: number): Access => ({ ...of, strides: joined.map(({ strides }) => strides[k]) });
  return {
    ...nest,
    extents: joined.map(({ extent }) => extent),
    outer,
    inputs: nest.inputs.map(access),
    output: access(nest.output, nest.inputs.length),
  };
}
