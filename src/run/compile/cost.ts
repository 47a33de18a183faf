/**
 * @file What one run of a graph costs: operations, bytes and kernels, and about how long that takes.
 */
import { isOpNode, findNode, type Graph } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import { topology } from '../../graph/topology.js';
import { isStatic } from '../../ops/dims.js';
import { knownOp } from '../../ops/known.js';
import type { Params } from '../../ops/op.js';
import { nodeCost, type NodeCost, type ValueSize } from '../../plan/cost.js';

/** Of one run. */
export interface GraphCost {
  readonly flops: number;
  readonly bytes: number;
  readonly kernels: number;
}

/** The cost of a sound graph; undefined where sizes are not known. */
export function costOf(graph: Graph, types: readonly (ValueType | undefined)[]): GraphCost | undefined {
  // Nodes that do the same to the same sizes cost the same: a million nodes are a few kinds.
  const known = new Map<Params, Map<string, NodeCost>>();
  let [flops, bytes, kernels] = [0, 0, 0];
  for (const id of topology(graph).order) {
    const node = findNode(graph, id)!;
    if (!isOpNode(node)) continue;
    const sizes: ValueSize[] = [];
    for (const each of [...node.inputs, id]) {
      const size = sizeOf(types[each]);
      if (size === undefined) return undefined;
      sizes.push(size);
    }
    let byKey = known.get(node.params);
    if (byKey === undefined) known.set(node.params, (byKey = new Map()));
    const key = `${node.op} ${sizes.map(({ shape, dtype }) => `${dtype}[${shape.join()}]`).join()}`;
    let cost = byKey.get(key);
    if (cost === undefined) byKey.set(key, (cost = nodeCost(node, sizes.slice(0, -1), sizes.at(-1)!)));
    flops += cost.compute;
    bytes += cost.memory;
    if (knownOp(node.op)!.view === undefined) kernels++;
  }
  return { flops, bytes, kernels };
}

function sizeOf(type: ValueType | undefined): ValueSize | undefined {
  if (type?.dims === undefined || type.dtype === undefined || !isStatic(type.dims)) return undefined;
  return { shape: type.dims, dtype: type.dtype };
}

/** Nanoseconds of a scalar operation, of a byte that is read or written, and of calling a kernel: rough, on one thread of `js`. */
const [OPERATION, BYTE, CALL] = [0.5, 0.2, 100];

/** How many times faster the second is, about; 1 where neither does anything. */
export function ratioOf(before: GraphCost, after: GraphCost): number {
  const nanoseconds = ({ flops, bytes, kernels }: GraphCost): number => flops * OPERATION + bytes * BYTE + kernels * CALL;
  const [slow, fast] = [nanoseconds(before), nanoseconds(after)];
  return slow === fast ? 1 : slow / fast;
}
