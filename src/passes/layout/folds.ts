/**
 * @file What runs along axes, and how its axes are called in another order: one row an op.
 */
import type { ComputedDType } from '../../tensor/dtype.js';
import { foldAxes, type Axes } from '../../ops/foldAxes.js';
import type { Params } from '../../ops/op.js';
import { withoutAxes, type Order } from './order.js';

/** How an op runs along the axes of its one operand. */
export interface AlongAxes {
  /** The parameter that names them: null for all, several in any order. */
  readonly axes: 'axis' | 'axes';
  /** `'element'` where the shape stays, `'group'` where the axes are dropped, or kept as size 1 by `keepdims`. */
  readonly emits: 'element' | 'group';
  /** How often it reads each element, one run after another. */
  readonly reads: number;
  /** Operands of which the result does not depend on who comes first, in any bit. */
  readonly unordered?: readonly (ComputedDType | undefined)[];
}

const WHOLE = ['int32', 'bool'] as const;
const ALL = [...WHOLE, 'float32', 'float64'] as const;
const group = (reads: number, unordered?: AlongAxes['unordered']): AlongAxes => ({
  axes: 'axis',
  emits: 'group',
  reads,
  unordered,
});

/**
 * Sums of integers wrap and counts do not round, so their order is nothing. Floats are added in the order of the axes. The largest and
 * the smallest are left to the order too: which of equal ones it is, is for backends to say.
 */
const ALONG: Readonly<Record<string, AlongAxes>> = {
  sum: group(1, WHOLE),
  prod: group(1, WHOLE),
  sumsq: group(1, WHOLE),
  count: group(1, ALL),
  any: group(1, ALL),
  all: group(1, ALL),
  mean: group(1),
  l2norm: group(1),
  max: group(1),
  min: group(1),
  argmax: group(2),
  argmin: group(2),
  var: group(2),
  std: group(2),
  logsumexp: group(2),
  softmax: { axes: 'axis', emits: 'element', reads: 3 },
  logSoftmax: { axes: 'axis', emits: 'element', reads: 3 },
  layerNorm: { axes: 'axes', emits: 'element', reads: 3 },
};

export const alongAxes = (op: string): AlongAxes | undefined => (Object.hasOwn(ALONG, op) ? ALONG[op] : undefined);

/** The same over what lies there: its parameters, and the order in which its result is to be seen. */
export interface TurnedFold {
  readonly params: Params;
  readonly order: Order;
}

/**
 * The fold of a value that is seen in this order, as one of what lies there. Along several axes it is one only where these follow on each
 * other as before: they are run through like digits, and whoever comes first is added first, found first, and counted as 0.
 */
export function turnedFold(
  along: AlongAxes,
  params: Params,
  order: Order,
  dtype: ComputedDType | undefined,
): TurnedFold | undefined {
  const asked = params[along.axes] as Axes | undefined;
  const seen = foldAxes(asked, order.length, along.axes);
  const axes = seen.map((axis) => order[axis]);
  const isKept = axes.every((axis, at) => at === 0 || axes[at - 1] < axis);
  if (!isKept && along.unordered?.includes(dtype) !== true) return undefined;
  const stays = along.emits === 'element' || params['keepdims'] === true;
  const named = asked === null || asked === undefined ? params : Object.freeze({ ...params, [along.axes]: Object.freeze(axes) });
  return { params: named, order: stays ? order : withoutAxes(order, seen) };
}
