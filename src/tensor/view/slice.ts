/**
 * @file NumPy's basic indexing: ranges clamp, indices do not, the axes that are left out stay whole.
 */
import { describeValue, fault } from '../../errors/index.js';
import type { Layout } from '../layout.js';
import { formatShape } from '../shape.js';
import type { SliceSpec } from './specs.js';

const PLACE = 'slice';

/**
 * The layout that the specs choose, one after another for each axis.
 *
 * @throws EinstreamError E_SHAPE for an index out of range, a step of 0, ends that are no integers, more specs than
 *   axes or two ellipses; E_ARGUMENT for what is no spec
 */
export function sliceLayout(layout: Layout, specs: readonly SliceSpec[]): Layout {
  const { shape, strides } = layout;
  const items = spread(specs.map(checked), layout);
  const [sizes, steps]: [number[], number[]] = [[], []];
  let { offset } = layout;
  let axis = 0;
  for (const spec of items) {
    if (spec?.kind === 'newaxis') {
      sizes.push(1);
      steps.push(0);
      continue;
    }
    const [size, step] = [shape[axis], strides[axis]];
    if (spec?.kind === 'at') offset += indexInto(spec.index, size, axis) * step;
    else {
      const { first, count, by } = spec?.kind === 'range' ? rangeOf(spec, size, axis) : { first: 0, count: size, by: 1 };
      offset += first * step;
      sizes.push(count);
      steps.push(by * step);
    }
    axis++;
  }
  return { shape: Object.freeze(sizes), strides: Object.freeze(steps), offset };
}

/** A spec as given by a user or a file. Its fields are checked where they meet an axis. */
function checked(spec: unknown, position: number): SliceSpec {
  if (spec === null) return spec;
  const kind = typeof spec === 'object' ? (spec as { kind?: unknown }).kind : undefined;
  if (kind === 'at' || kind === 'range' || kind === 'newaxis' || kind === 'ellipsis')
    return { ...(spec as object), kind } as SliceSpec;
  throw fault('E_ARGUMENT', {
    place: PLACE,
    rule: `spec ${position} must be null, at(…), range(…), reversed, newaxis or ellipsis`,
    actual: describeValue(spec),
    hint: typeof spec === 'number' ? `write at(${spec})` : undefined,
  });
}

/** One spec for every axis, new ones included: the ellipsis, or the end, takes the axes that are left. */
function spread(specs: readonly SliceSpec[], { shape }: Layout): readonly SliceSpec[] {
  const taken = specs.filter((spec) => spec?.kind !== 'newaxis' && spec?.kind !== 'ellipsis').length;
  const ellipses = specs.filter((spec) => spec?.kind === 'ellipsis').length;
  if (ellipses > 1) throw fault('E_SHAPE', { place: PLACE, rule: 'an ellipsis may stand once', actual: `${ellipses} ellipses` });
  if (taken > shape.length) {
    throw fault('E_SHAPE', {
      place: PLACE,
      rule: 'there must be no more specs than axes',
      expected: `at most ${shape.length} for rank ${shape.length}, shape ${formatShape(shape)}`,
      actual: `${taken} specs`,
    });
  }
  const rest = new Array<null>(shape.length - taken).fill(null);
  return ellipses === 0 ? [...specs, ...rest] : specs.flatMap((spec) => (spec?.kind === 'ellipsis' ? rest : [spec]));
}

function indexInto(index: number, size: number, axis: number): number {
  if (Number.isInteger(index) && index >= -size && index < size) return index < 0 ? index + size : index;
  throw fault('E_SHAPE', {
    place: PLACE,
    rule: `index ${describeValue(index)} must lie in axis ${axis}`,
    expected: size === 0 ? `none, because axis ${axis} has size 0` : `an integer from ${-size} to ${size - 1}`,
    actual: describeValue(index),
  });
}

/** Python's rule for `start:stop:step` on an axis of `size` elements. */
function rangeOf(
  spec: { start: number | null; stop: number | null; step: number },
  size: number,
  axis: number,
): { first: number; count: number; by: number } {
  const { start, stop, step } = spec;
  if (!Number.isInteger(step) || step === 0)
    throw fault('E_SHAPE', {
      place: PLACE,
      rule: `the step for axis ${axis} must be an integer other than 0`,
      actual: describeValue(step),
    });
  // Going down, the end before the first element is −1, and the last place to start is size − 1.
  const [low, high] = step > 0 ? [0, size] : [-1, size - 1];
  const first = clampEnd(start, step > 0 ? low : high, low, high, size, axis);
  const end = clampEnd(stop, step > 0 ? high : low, low, high, size, axis);
  const count = Math.max(0, Math.ceil((end - first) / step));
  // A step that is never made must not leave the integers that kernels use for strides.
  return { first: count === 0 ? 0 : first, count, by: count > 1 ? step : 1 };
}

function clampEnd(end: number | null, absent: number, low: number, high: number, size: number, axis: number): number {
  if (end === null) return absent;
  if (!Number.isInteger(end))
    throw fault('E_SHAPE', {
      place: PLACE,
      rule: `the ends of the range for axis ${axis} must be integers or null`,
      actual: describeValue(end),
    });
  return Math.min(Math.max(end < 0 ? end + size : end, low), high);
}
