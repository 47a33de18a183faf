/**
 * @file What broadcasting did, undone: a gradient summed back to the shape of its operand.
 */
import type { Dims } from './dims.js';
import { dimsOf } from './dimsOf.js';
import type { Operand } from './interpreter.js';
import type { GradientOps } from './vjp.js';

/** The gradient in the shape of `x`, from which its own was broadcast. */
export function sumBack(dy: Operand, x: Operand, g: GradientOps): Operand {
  const [from, to] = [dimsOf(dy), dimsOf(x)];
  const axes = from === undefined || to === undefined ? undefined : stretchedAxes(from, to);
  if (axes === undefined) return g.sumLike(dy, x);
  if (axes.length === 0) return from!.length === to!.length ? dy : leadDropped(dy, from!.length - to!.length, g);
  const lead = from!.length - to!.length;
  const summed = g.sum(dy, { axis: axes, keepdims: true });
  return lead === 0 ? summed : leadDropped(summed, lead, g);
}

const leadDropped = (x: Operand, lead: number, g: GradientOps): Operand =>
  g.squeeze(x, { axis: Array.from({ length: lead }, (_, axis) => axis) });

/** Axes of `from` that `to` lacks or holds once; undefined where that is not known yet. */
function stretchedAxes(from: Dims, to: Dims): readonly number[] | undefined {
  const lead = from.length - to.length;
  const axes: number[] = [];
  for (let axis = 0; axis < from.length; axis++) {
    const [wide, narrow] = [from[axis], axis < lead ? 1 : to[axis - lead]];
    if (wide === narrow && wide !== null) continue;
    if (narrow === 1) axes.push(axis);
    else return undefined; // two sizes that are not both known: the narrow one may turn out to be 1
  }
  return axes;
}
