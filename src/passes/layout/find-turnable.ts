/**
 * @file Finds the values that can be had in another order: transposes, and what is computed of transposes in one order.
 */
import { EinstreamError } from '../../errors/index.js';
import { findNode, isOpNode, type Graph, type NodeId, type OpNode } from '../../graph/graph.js';
import { inferNode, type ValueType } from '../../graph/infer.js';
import { topology } from '../../graph/topology.js';
import { isElementwise, isGroup } from '../../ops/fusedSteps.js';
import { knownOp } from '../../ops/known.js';
import type { AnyOp } from '../../ops/op.js';
import { sureTypes } from '../einsum/sure-types.js';
import { besideTurned, type Beside } from './beside.js';
import { alongAxes, turnedFold } from './folds.js';
import { against, behind, isInOrder, orderOf, seenDims, type Order, type Orders } from './order.js';
import type { Computed, Regions, Turnable } from './turnable.js';

type Types = readonly (ValueType | undefined)[];

/**
 * By id, producers first. One walk.
 *
 * @param apart ids of values that something may replace on the way: nothing looks past them
 */
export function findTurnable(
  graph: Graph,
  types: Types,
  apart: readonly NodeId[],
  orders: Orders,
  regions: Regions,
): ReadonlyMap<NodeId, Turnable> {
  const found = new Map<NodeId, Turnable>();
  const hidden = new Set(apart);
  const sure = sureTypes(graph, types);
  const isOne = (id: NodeId): boolean => sure()[id]?.dims?.every((dim) => dim === 1) === true;

  /** A value that is seen in another order than the turned one. */
  const turnedAt = (id: NodeId): Turnable | undefined => {
    const own = found.get(id);
    return own === undefined || isInOrder(own.order) ? undefined : own;
  };

  function transposed(node: OpNode): Turnable | undefined {
    const [x] = node.inputs;
    const type = types[x]!;
    if (type.dims === undefined) return undefined;
    const own = orders.of(orderOf(node, type.dims.length));
    const read = found.get(x);
    const inner = read?.kind === 'again' ? read : turnedAt(x);
    if (inner === undefined) return isInOrder(own) ? undefined : { kind: 'view', order: own, type, of: x };
    const order = orders.of(behind(inner.order, own));
    const { type: turned } = inner;
    if (inner.kind === 'view') return isInOrder(order) ? undefined : { kind: 'view', order, type: turned, of: inner.of };
    const of = inner.kind === 'again' ? inner.of : x;
    return { kind: 'again', order, type: turned, of, own: inner.kind === 'again' ? orders.of(behind(inner.own, own)) : own, region: inner.region }; // prettier-ignore
  }

  /** One of the operands that are seen in this order is read against its own. */
  const isRead = ({ inputs }: OpNode, order: Order): boolean =>
    inputs.some((id) => turnedAt(id)?.order === order && against(order, types[id]!.dims!) > 0);

  function elementwise(node: OpNode): Computed | undefined {
    const dims = types[node.id]!.dims;
    const order = node.inputs.map(turnedAt).find((each) => each !== undefined)?.order;
    if (order === undefined || dims?.length !== order.length) return undefined;
    const beside: (Beside | undefined)[] = [];
    const inputs: ValueType[] = [];
    for (const id of node.inputs) {
      const turned = turnedAt(id);
      const isAlike = turned?.order === order;
      const own = types[id]!.dims;
      // What could be turned into another order would stand between two.
      const isBetween = !isAlike && turned !== undefined && !isOne(id);
      const seen = isAlike || isBetween || own === undefined ? undefined : besideTurned(own, order, () => isOne(id));
      if (!isAlike && seen === undefined) return undefined;
      // A transpose for another one is no gain: each side could be the one that is turned.
      if (seen?.order !== undefined && !isRead(node, order)) return undefined;
      beside.push(seen);
      inputs.push(isAlike ? turned.type : { dims: seen!.dims, dtype: types[id]!.dtype });
    }
    return computed(node, order, node, inputs, beside);
  }

  function fold(node: OpNode, op: string): Computed | undefined {
    const along = alongAxes(op);
    const turned = along !== undefined && node.inputs.length === 1 ? turnedAt(node.inputs[0]) : undefined;
    const next = turned && turnedFold(along!, node.params, turned.order, types[node.inputs[0]]!.dtype);
    return next && computed(node, orders.of(next.order), { ...node, params: next.params }, [turned.type], [undefined]);
  }

  /** Whatever an op says of shapes, what is seen of the turned value has that of the value. */
  function computed(
    node: OpNode,
    order: Order,
    turned: OpNode,
    inputs: readonly ValueType[],
    beside: Computed['beside'],
  ): Computed | undefined {
    const type = typeOf(turned, inputs);
    if (type === undefined || !isSeenAs(type, order, types[node.id]!)) return undefined;
    let region: number | undefined;
    node.inputs.forEach((id, at) => {
      const read = beside[at] === undefined ? found.get(id) : undefined;
      if (read === undefined || read.kind === 'view') return;
      region = region === undefined ? regions.find(read.region) : regions.join(region, read.region);
    });
    return { kind: 'computed', order, type, region: region ?? regions.make(), params: turned.params, beside };
  }

  function turnableOf(node: OpNode, op: AnyOp): Turnable | undefined {
    const { name } = op;
    if (name === 'transpose') return transposed(node);
    if (isGroup(name)) return undefined;
    return isElementwise(op) ? elementwise(node) : fold(node, name);
  }

  for (const id of topology(graph).order) {
    const node = findNode(graph, id)!;
    if (!isOpNode(node) || hidden.has(id) || node.alias !== undefined) continue;
    const isTurned = found.size > 0 && node.inputs.some((input) => found.has(input));
    const op = knownOp(node.op);
    if (op === undefined || (!isTurned && op.name !== 'transpose')) continue;
    const turnable = turnableOf(node, op);
    if (turnable !== undefined) found.set(id, turnable);
  }
  return found;
}

function typeOf(node: OpNode, inputs: readonly ValueType[]): ValueType | undefined {
  try {
    return inferNode(node, inputs);
  } catch (error) {
    if (error instanceof EinstreamError) return undefined;
    throw error;
  }
}

function isSeenAs({ dims, dtype }: ValueType, order: Order, as: ValueType): boolean {
  if (dims === undefined || as.dims === undefined || dtype !== as.dtype || dims.length !== order.length) return false;
  return seenDims(dims, order).every((dim, axis) => dim === as.dims![axis]);
}
