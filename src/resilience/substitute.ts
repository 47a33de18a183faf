/**
 * @file Values in place of those that could not be computed.
 */
import { fault } from '../errors/index.js';
import { nameOf, type NodeId, type OpNode } from '../graph/index.js';
import { valueOf, type Frame } from '../run/index.js';
import { full, type Tensor } from '../tensor/index.js';
import type { Substitute } from './config.js';

/** The latest good value of each node. */
export type Cache = Map<NodeId, Tensor>;

/** What the node computes for this frame, as shape and dtype. */
export const typeIn = (
  { program }: Frame,
  { id }: OpNode,
): { readonly dtype: Tensor['dtype']; readonly shape: readonly number[] } => program.types[program.prepared.slots[id]];

/** @throws what the approximation throws; E_KERNEL where nothing is cached */
export function substitute(frame: Frame, node: OpNode, how: Substitute, cache: Cache): Tensor {
  if (how === 'useCached') {
    const value = cache.get(node.id);
    if (value !== undefined) return value;
    throw fault('E_KERNEL', {
      place: nameOf(node),
      nodeId: node.id,
      rule: 'a cached value takes the place of one that failed',
      actual: 'no feed before had one',
      hint: 'degrade to { useDefault }, or wait for a first feed that succeeds',
    });
  }
  if ('useApproximation' in how)
    return how.useApproximation(
      node,
      node.inputs.map((id) => valueOf(frame, id)),
    );
  const { dtype, shape } = typeIn(frame, node);
  return full([...shape], how.useDefault, { dtype });
}
