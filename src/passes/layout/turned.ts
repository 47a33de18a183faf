/**
 * @file The graph with regions turned: members read what lies behind transposes, and stand before a transpose of their own.
 */
import { findNode, type Graph, type Node, type NodeId, type OpNode } from '../../graph/graph.js';
import { topology } from '../../graph/topology.js';
import type { Params } from '../../ops/op.js';
import type { Rewrite } from '../pass.js';
import { changesOf, ownPlaces } from '../replace-values.js';
import type { Beside } from './beside.js';
import { isInOrder, type Orders } from './order.js';
import type { Computed, Turnable } from './turnable.js';
import { dropUnread } from './unread.js';

/** What becomes of the graph. */
export interface Turned {
  readonly places: Int32Array;
  readonly changes: ReadonlyMap<NodeId, Node | undefined>;
  readonly added: readonly Node[];
  readonly rewrites: readonly Rewrite[];
}

/**
 * @param visible ids of values that must stay, whether or not a node reads them
 * @param kept those of them that are no outputs alone: an output may turn to another value
 */
export function turned(
  graph: Graph,
  found: ReadonlyMap<NodeId, Turnable>,
  isWorth: (region: number) => boolean,
  orders: Orders,
  visible: ReadonlySet<NodeId>,
  kept: ReadonlySet<NodeId>,
): Turned {
  const places = ownPlaces(graph.size);
  const rewritten = new Map<NodeId, OpNode>();
  const added: OpNode[] = [];
  const rewrites: Rewrite[] = [];
  /** The turned ones, by the ids of the values that are seen of them. */
  const inner = new Map<NodeId, NodeId>();
  const add = (op: string, inputs: readonly NodeId[], params: Params, like?: OpNode): NodeId => {
    const id = graph.size + added.length;
    const node: OpNode = { id, op, inputs, params };
    const { location, isRecomputed } = like ?? {};
    added.push(
      location === undefined && isRecomputed === undefined
        ? node
        : { ...node, ...(location === undefined ? {} : { location }), ...(isRecomputed === undefined ? {} : { isRecomputed }) },
    );
    return id;
  };
  const placeOf = (id: NodeId): NodeId => (id < graph.size ? places[id] : id);

  const seenBeside = (id: NodeId, { added: axes, order }: Beside): NodeId => {
    const whole = axes === undefined ? id : add('unsqueeze', [id], Object.freeze({ axis: Object.freeze(axes) }));
    return order === undefined ? whole : add('transpose', [whole], orders.paramsOf(orders.of(order)));
  };

  /** What a member reads where it read a value seen in another order. */
  function behindView(id: NodeId): NodeId {
    const read = found.get(id)!;
    return read.kind === 'view' ? placeOf(read.of) : inner.get(read.kind === 'again' ? read.of : id)!;
  }

  const seen = (node: OpNode, of: NodeId, params: Params): void =>
    void rewritten.set(node.id, { ...node, op: 'transpose', inputs: [of], params });

  function turnOne(node: OpNode, { order, params, beside }: Computed): void {
    const { op, id } = node;
    const inputs = node.inputs.map((input, at) =>
      beside[at] === undefined ? behindView(input) : seenBeside(placeOf(input), beside[at]),
    );
    if (isInOrder(order)) {
      rewritten.set(id, { ...node, inputs, params });
      rewrites.push({ rule: 'along axes of what a transpose shows', from: [id], into: id });
      return;
    }
    const into = add(op, inputs, params, node);
    inner.set(id, into);
    seen(node, into, orders.paramsOf(order));
    rewrites.push({ rule: 'transposes go behind what they do not matter to', from: [id], into });
  }

  for (const id of topology(graph).order) {
    const own = found.get(id);
    if (own === undefined || own.kind === 'view' || !isWorth(own.region)) continue;
    const node = findNode(graph, id) as OpNode;
    if (own.kind === 'computed') turnOne(node, own);
    else {
      const into = inner.get(own.of)!;
      if (!isInOrder(own.order) || kept.has(id)) seen(node, into, orders.paramsOf(own.order));
      else places[id] = into;
      rewrites.push({ rule: 'a transpose of a transpose', from: [id], into });
    }
  }
  const changes = changesOf(graph, places, rewritten);
  dropUnread(graph, changes, added, [...found.keys()].reverse(), visible);
  return { places, changes, added, rewrites };
}
