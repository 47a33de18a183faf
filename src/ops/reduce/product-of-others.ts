/**
 * @file For each element the product of all others in its group, without a division: right for any number of zeros, and
 * differentiable again.
 */
import { ellipsis, range } from '../../tensor/view/specs.js';
import { dimsOf } from '../dimsOf.js';
import { foldAxes, type Axes } from '../foldAxes.js';
import type { Operand } from '../interpreter.js';
import type { GradientOps } from '../vjp.js';

/** Of the shape of x. Axes of unknown size cost the square of it. */
export function productOfOthers(x: Operand, axis: Axes, g: GradientOps): Operand {
  const rank = dimsOf(x)?.length;
  const axes = rank === undefined ? undefined : foldAxes(axis, rank, 'prod');
  if (axes === undefined) return g.reshapeLike(squared(g.reshape(x, { shape: [-1] }), g), x);
  let others: Operand | undefined;
  let product = x;
  // One axis after another: the others along it, times what the axes after it leave out.
  for (const at of axes) {
    const own = along(product, at, rank!, g);
    others = others === undefined ? own : g.mul(others, own);
    product = g.prod(product, { axis: at, keepdims: true });
  }
  return others ?? g.onesLike(x);
}

function along(x: Operand, axis: number, rank: number, g: GradientOps): Operand {
  const order = [...Array.from({ length: rank }, (_, k) => k).filter((k) => k !== axis), axis];
  const isLast = axis === rank - 1;
  const last = isLast ? x : g.transpose(x, { perm: order });
  const size = dimsOf(x)![axis];
  const others = typeof size === 'number' ? paired(last, size, g) : squared(last, g);
  return isLast ? others : g.transpose(others, { perm: order.map((_, k) => order.indexOf(k)) });
}

/**
 * Along the last axis, as a tree: neighbours are multiplied in pairs, the others of a pair are found, and each of the two has
 * those and its neighbour. Linear work, in log₂ n rounds.
 */
function paired(x: Operand, size: number, g: GradientOps): Operand {
  if (size <= 1) return g.onesLike(x);
  const odd = size % 2;
  if (odd === 1) {
    // A last element without a neighbour gets a 1.
    const pads = dimsOf(x)!.map((_, axis, all) => (axis === all.length - 1 ? [0, 1] : [0, 0]));
    const whole = paired(g.pad(x, { pads, value: 1 }), size + 1, g);
    return g.slice(whole, { specs: [ellipsis, range(0, size)] });
  }
  const [first, second] = [range(0, null, 2), range(1, null, 2)].map((part) => ({ specs: [ellipsis, part] }));
  const [left, right] = [g.slice(x, first), g.slice(x, second)];
  const others = paired(g.mul(left, right), size / 2, g);
  return g.add(
    g.sliceScatter(g.mul(others, right), x, first),
    g.sliceScatter(g.mul(others, left), x, second), // prettier-ignore
  );
}

/** Along the last axis, of unknown size: every element beside every other, itself replaced by 1. */
function squared(x: Operand, g: GradientOps): Operand {
  const index = g.iota(x, { axis: -1 });
  const isSelf = g.equal(g.unsqueeze(index, { axis: -1 }), g.unsqueeze(index, { axis: -2 }));
  return g.prod(g.where(isSelf, 1, g.unsqueeze(x, { axis: -2 })), { axis: -1 });
}
