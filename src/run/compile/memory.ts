/**
 * @file Bytes that one frame of a compiled graph holds, for inputs of known types, before anything runs.
 */
import { plainBackend } from '../default-backend.js';
import { footprint } from '../footprint.js';
import { prepare } from '../prepare.js';
import { shareBuffers } from '../share.js';
import { typed } from '../typed.js';
import { isStatic } from '../../ops/dims.js';
import { findNode, type Graph, type NodeId, type OpNode } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import { rowMajorStrides } from '../../tensor/shape.js';
import type { Tensor } from '../../tensor/tensor.js';

const PLAIN = {
  keep: [],
  retain: [],
  outputs: 'copy',
  isVisible: false,
  fallback: 'js',
  inPlace: 'safe',
  isFixed: false,
  fastMath: false,
  placement: 'auto',
  memoryLimit: undefined,
} as const;

/** As a run on `js` plans it, so that both say the same; undefined where an input's type is not known. No kernel is compiled. */
export function plannedBytes(
  graph: Graph,
  types: readonly (ValueType | undefined)[],
  order?: readonly NodeId[],
): number | undefined {
  // What is optimised already runs as it is.
  const asWritten = prepare(graph, { ...PLAIN, backend: plainBackend(), level: 'none' });
  const prepared = order === undefined ? asWritten : { ...asWritten, nodes: order.map((id) => findNode(graph, id) as OpNode) };
  const fed: Tensor[] = [];
  for (const { node, value } of prepared.inputs) {
    const type = types[node.id];
    if (value !== undefined) fed.push(value);
    else if (type?.dims === undefined || type.dtype === undefined || !isStatic(type.dims)) return undefined;
    // Types alone are read, so there are no elements.
    else fed.push({ dtype: type.dtype, shape: type.dims, strides: rowMajorStrides(type.dims) } as unknown as Tensor);
  }
  const frame = typed(prepared, prepared, fed);
  const { intermediateBytes, outputBytes } = footprint(frame, shareBuffers(frame));
  return intermediateBytes + outputBytes;
}
