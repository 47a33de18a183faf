/**
 * @file The same elements in row-major order, under another shape.
 */
import { fault } from '../../errors/index.js';
import type { Layout } from '../layout.js';
import { formatShape, numElements, readIntegers, rowMajorStrides, type Shape } from '../shape.js';

/**
 * The shape that `target` stands for; one size may be −1 and is what the others leave.
 *
 * @throws EinstreamError E_SHAPE naming both shapes when the counts differ, or −1 cannot be told
 */
export function inferShape(from: Shape, target: readonly number[]): Shape {
  const asked = readIntegers(target, 'reshape');
  const size = numElements(from);
  const open = asked.indexOf(-1);
  const known = numElements(
    asked.map((length, axis) => (axis === open ? 1 : length)),
    undefined,
    'reshape (one size may be -1)',
  );
  const missing = open < 0 ? 1 : known === 0 ? NaN : size / known;
  if (known * missing !== size || !Number.isInteger(missing)) {
    throw fault('E_SHAPE', {
      place: 'reshape',
      rule:
        open >= 0 && known === 0
          ? 'a size of -1 must follow from the others, which are 0'
          : 'the shapes must hold equally many elements',
      expected: `${size} elements, as shape ${formatShape(from)}`,
      actual: `shape ${formatShape(asked)}`,
    });
  }
  return open < 0 ? asked : Object.freeze(asked.map((length, axis) => (axis === open ? missing : length)));
}

/**
 * The layout of `shape` over the same elements, or undefined where strides cannot say it and only a copy can.
 *
 * @throws EinstreamError E_SHAPE as `inferShape`
 */
export function reshapeLayout(layout: Layout, target: readonly number[]): Layout | undefined {
  const shape = inferShape(layout.shape, target);
  const strides = shape.includes(0) ? rowMajorStrides(shape) : stridesFor(layout, shape);
  return strides && { shape, strides: Object.freeze(strides), offset: layout.offset };
}

/** Splits both shapes into the smallest groups of equal product; each group of old axes must be one even run. */
function stridesFor(layout: Layout, shape: Shape): readonly number[] | undefined {
  const axes = layout.shape.flatMap((size, axis) => (size === 1 ? [] : [{ size, stride: layout.strides[axis] }]));
  const strides = new Array<number>(shape.length).fill(1);
  let next = 0;
  let axis = 0;
  while (next < axes.length) {
    let [old, now] = [axes[next].size, shape[axis]];
    const [firstOld, firstNew] = [next, axis];
    while (old !== now) {
      if (now < old) now *= shape[++axis];
      else old *= axes[++next].size;
    }
    for (let k = firstOld; k < next; k++) {
      if (axes[k].stride !== axes[k + 1].stride * axes[k + 1].size) return undefined;
    }
    let stride = axes[next].stride;
    for (let k = axis; k >= firstNew; k--) {
      strides[k] = stride;
      stride *= shape[k];
    }
    next++;
    axis++;
  }
  return strides; // the axes left over have size 1
}
