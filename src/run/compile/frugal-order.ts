/**
 * @file An order of nodes that holds fewer bytes than the one as written, where there is one.
 */
import type { Graph, NodeId } from '../../graph/graph.js';
import { inferTypes } from '../../graph/shapes.js';
import { schedule } from '../../plan/schedule/index.js';
import { plannedBytes } from './memory.js';

/** @throws EinstreamError E_SHAPE where sizes are not known */
export function frugalOrder(graph: Graph): readonly NodeId[] | undefined {
  const { nodeOrder } = schedule(graph, { strategy: 'minimizeMemory' });
  const types = inferTypes(graph);
  const [asWritten, frugal] = [plannedBytes(graph, types), plannedBytes(graph, types, nodeOrder)];
  // Inputs of unknown dtype have known sizes, but no known bytes: then the order alone decides.
  return asWritten !== undefined && frugal !== undefined && frugal >= asWritten ? undefined : nodeOrder;
}
