/**
 * @file Values that can be had in another order of axes than the graph has them in.
 */
import type { NodeId } from '../../graph/graph.js';
import type { ValueType } from '../../graph/infer.js';
import type { Params } from '../../ops/op.js';
import type { Beside } from './beside.js';
import type { Order } from './order.js';

/** A value that is, or would be, another one seen in an order of axes. */
interface Seen {
  /** How the value is seen of the turned one; in order where it is that one. */
  readonly order: Order;
  /** Of the turned one. */
  readonly type: ValueType;
}

/** A transpose of what nothing turns: both are there, and who reads it may read the other. */
export interface View extends Seen {
  readonly kind: 'view';
  readonly of: NodeId;
}

/** What would be computed in the order of its operands. */
export interface Computed extends Seen {
  readonly kind: 'computed';
  readonly region: number;
  /** Of the turned op. */
  readonly params: Params;
  /** By operand: what stands beside those that are turned; undefined for these. */
  readonly beside: readonly (Beside | undefined)[];
}

/** A transpose of what would be computed in another order. */
export interface Again extends Seen {
  readonly kind: 'again';
  readonly region: number;
  readonly of: NodeId;
  /** How it is seen of what is computed as things are. */
  readonly own: Order;
}

export type Turnable = View | Computed | Again;

/** Regions of values that are turned together or not at all: what reads a turned value is turned with it, or pays. */
export interface Regions {
  readonly make: () => number;
  readonly join: (a: number, b: number) => number;
  readonly find: (region: number) => number;
}

/** Sets that are joined (union-find, with paths halved). */
export function regions(): Regions {
  const parents: number[] = [];
  const find = (region: number): number => {
    let at = region;
    while (parents[at] !== at) at = parents[at] = parents[parents[at]];
    return at;
  };
  return {
    find,
    make: () => parents.push(parents.length) - 1,
    // The older one stays, so that a chain is not walked from its end.
    join(a, b) {
      const [x, y] = [find(a), find(b)];
      return (parents[Math.max(x, y)] = Math.min(x, y));
    },
  };
}
