/**
 * @file Axes as users write them: negative ones count from the end.
 */
import { describeValue, fault, type Fault } from '../errors/index.js';

/** What is being read, for messages: an option, or an op at a node. */
export type Where = string | Pick<Fault, 'place' | 'nodeId' | 'op'>;

const locate = (where: Where) => (typeof where === 'string' ? { place: where } : where);

/**
 * The axis as 0 … rank − 1.
 *
 * @param place what is being read, for the message: an op, an option
 * @throws EinstreamError E_SHAPE naming the axis and the rank
 */
export function normalizeAxis(axis: number, rank: number, place: Where): number {
  if (!Number.isInteger(axis) || axis < -rank || axis >= rank) {
    throw fault('E_SHAPE', {
      ...locate(place),
      rule: `axis ${describeValue(axis)} must exist`,
      expected: rank === 0 ? 'no axis, because a scalar has rank 0' : `an integer from ${-rank} to ${rank - 1}`,
      actual: `axis ${describeValue(axis)} of a tensor of rank ${rank}`,
    });
  }
  return axis < 0 ? axis + rank : axis + 0;
}

/**
 * Several axes as 0 … rank − 1, in the order given.
 *
 * @throws EinstreamError E_SHAPE also for an axis that is named twice
 */
export function normalizeAxes(axes: number | readonly number[], rank: number, place: Where): readonly number[] {
  const list = typeof axes === 'number' ? [axes] : axes;
  const normal = list.map((axis) => normalizeAxis(axis, rank, place));
  const twice = normal.find((axis, i) => normal.indexOf(axis) !== i);
  if (twice !== undefined) {
    throw fault('E_SHAPE', {
      ...locate(place),
      rule: `axis ${twice} must be named once`,
      actual: `axes [${list.join(', ')}] of a tensor of rank ${rank}`,
    });
  }
  return normal;
}
