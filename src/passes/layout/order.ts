/**
 * @file Orders of axes: how they follow on each other, and what reading in one costs.
 */
import type { OpNode } from '../../graph/graph.js';
import type { Dims } from '../../ops/dims.js';
import type { Params } from '../../ops/op.js';
import { normalizeAxes } from '../../tensor/axis.js';

/** Axis k of what is seen in this order is axis `order[k]` of what lies there: the `perm` of a transpose. */
export type Order = readonly number[];

/** The order in which a transpose shows its operand. */
export const orderOf = ({ params }: OpNode, rank: number): Order => {
  const { perm } = params as { readonly perm?: readonly number[] };
  return perm === undefined ? Array.from({ length: rank }, (_, axis) => rank - 1 - axis) : normalizeAxes(perm, rank, 'transpose');
};

export const isInOrder = (order: Order): boolean => order.every((axis, at) => axis === at);

/** What is seen in the second order of what is seen in the first. */
export const behind = (first: Order, second: Order): Order => second.map((axis) => first[axis]);

export function inverse(order: Order): Order {
  const back = new Array<number>(order.length);
  order.forEach((axis, at) => (back[axis] = at));
  return back;
}

/** The order of the axes that stay when these are dropped, of those that are seen. */
export function withoutAxes(order: Order, dropped: readonly number[]): Order {
  const left = order.filter((_, at) => !dropped.includes(at));
  const ranks = new Map([...left].sort((a, b) => a - b).map((axis, rank) => [axis, rank]));
  return left.map((axis) => ranks.get(axis)!);
}

/** Dims as they are seen. */
export const seenDims = (dims: Dims, order: Order): Dims => order.map((axis) => dims[axis]);

/** What a size is taken to be that is not known. */
const USUAL = 64;

export const elementsIn = (dims: Dims): number =>
  dims.reduce<number>((all, dim) => all * (typeof dim === 'number' ? dim : USUAL), 1);

/**
 * Elements that are read against the order in which they lie, by whoever reads all of them row by row: none where what lies side by
 * side is seen side by side. Axes of size 1 are nowhere in the way.
 *
 * @param dims as they are seen
 */
export function against(order: Order, dims: Dims): number {
  const steps = order.filter((_, at) => dims[at] !== 1);
  return steps.length === 0 || steps.at(-1) === Math.max(...steps) ? 0 : elementsIn(dims);
}

/** Equal orders as one, so that they are compared by identity, and the parameters of a transpose for each. */
export interface Orders {
  readonly of: (order: Order) => Order;
  readonly paramsOf: (order: Order) => Params;
}

export function orders(): Orders {
  const known = new Map<string, Order>();
  const params = new Map<Order, Params>();
  return {
    of(order) {
      const key = order.join();
      let own = known.get(key);
      if (own === undefined) known.set(key, (own = Object.freeze([...order])));
      return own;
    },
    paramsOf(perm) {
      let own = params.get(perm);
      if (own === undefined) params.set(perm, (own = Object.freeze({ perm })));
      return own;
    },
  };
}
