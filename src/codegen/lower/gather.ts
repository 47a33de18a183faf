/**
 * @file Gather: the indices' axes take the place of the gathered one.
 */
import { rowMajorStrides } from '../../tensor/shape.js';
import type { GatherIR } from '../ir.js';
import type { Application } from '../lower.js';

export function lowerGather({ inputs, output }: Application, { axis }: { readonly axis: number }): GatherIR {
  const [data, index] = inputs as [Application['inputs'][0], Application['inputs'][0]];
  const chosen = index.shape.map(() => 0);
  const before = data.shape.slice(0, axis);
  const after = data.shape.slice(axis + 1);
  return {
    kind: 'gather',
    extents: output.shape,
    data: { dtype: data.dtype, strides: [...data.strides.slice(0, axis), ...chosen, ...data.strides.slice(axis + 1)], offset: 0 },
    index: { dtype: index.dtype, strides: [...before.map(() => 0), ...index.strides, ...after.map(() => 0)], offset: 0 },
    step: data.strides[axis],
    size: data.shape[axis],
    output: { dtype: output.dtype, strides: rowMajorStrides(output.shape), offset: 0 },
  };
}
