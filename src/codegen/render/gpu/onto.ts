/**
 * @file Elements that join others which lie on the device already: one pass over the whole buffer of the output, which keeps what
 * the kernel does not write.
 */
import { literal } from '../../emitted.js';
import type { KernelIR } from '../../ir.js';
import { count, divided } from './cells.js';
import { PLAIN_FORM } from './form.js';
import type { GpuPass, Residents } from './kernel.js';
import { leavesAt } from './leaves.js';
import { MOST_ARRAYS, MOST_CELLS } from './limits.js';
import { renderScalar } from './scalar.js';
import { text, type Text } from './text.js';

/** The buffer of the output. */
export interface Whole {
  readonly length: number;
  /** Where the output begins. */
  readonly offset: number;
  /** What lies there: nothing yet, elements on the host, or on the device, written one a thread or four. */
  readonly before: 'nothing' | 'host' | 'single' | 'tiled';
}

/** The pass; undefined where there is none, so that elements join on the host. */
export function renderOnto(ir: KernelIR, residents: Residents, { length, offset, before }: Whole): GpuPass | undefined {
  if (before === 'host' || ir.kind === 'gather' || ir.folds.length > 0 || ir.emits !== 'group') return undefined;
  const { strides } = ir.output;
  if (length > MOST_CELLS || ir.inputs.length >= MOST_ARRAYS || count(ir.extents) === 0 || !isNested(ir.extents, strides))
    return undefined;
  const m = text();
  const cell = m.keep('this.thread.x');
  const { indices, isWritten } = inverse(m, cell, ir.extents, strides, offset + ir.output.offset, length);
  const leaves = leavesAt(m, { ir, residents, form: PLAIN_FORM }, indices)(0, () => '0');
  const value = renderScalar(m, ir.result, ir.output.dtype, leaves);
  const kept = before === 'nothing' ? '0' : m.keep(`${m.array({ of: 'before', length, isTiled: before === 'tiled' })}[${cell}]`);
  return m.pass(length, [m.keep(`(${isWritten}===0?${kept}:${value})`)]);
}

/** Axes that have several indices, from the largest stride to the least. */
const descending = (extents: readonly number[], strides: readonly number[]): readonly number[] =>
  extents.flatMap((extent, axis) => (extent > 1 ? [axis] : [])).sort((a, b) => Math.abs(strides[b]) - Math.abs(strides[a]));

/** No two indices have one address, and an address tells its indices by division. */
function isNested(extents: readonly number[], strides: readonly number[]): boolean {
  let reach = 0;
  return descending(extents, strides)
    .toReversed()
    .every((axis) => {
      const fits = Math.abs(strides[axis]) > reach;
      reach += (extents[axis] - 1) * Math.abs(strides[axis]);
      return fits;
    });
}

/** The indices that an address has, or others that exist; and whether it has any. */
function inverse(
  m: Text,
  address: string,
  extents: readonly number[],
  strides: readonly number[],
  start: number,
  length: number,
): { readonly indices: readonly string[]; readonly isWritten: string } {
  const lowest = start + extents.reduce((sum, extent, axis) => sum + Math.min(0, strides[axis]) * (extent - 1), 0);
  const indices = new Array<string>(extents.length).fill('0');
  const tests: string[] = [];
  let rest = m.keep(`${address}-${m.argument(lowest)}`);
  for (const axis of descending(extents, strides)) {
    const [stride, extent] = [Math.abs(strides[axis]), literal(extents[axis])];
    const [quotient, remainder] = stride === 1 ? [rest, '0'] : divided(m, rest, stride, length);
    const isInside = m.keep(`(${quotient}<0?0:(${quotient}<${extent}?1:0))`);
    const index = m.keep(`(${isInside}===0?0:${quotient})`);
    indices[axis] = strides[axis] < 0 ? m.keep(`${literal(extents[axis] - 1)}-${index}`) : index;
    tests.push(isInside);
    rest = remainder;
  }
  if (rest !== '0') tests.push(m.keep(`(${rest}===0?1:0)`));
  return { indices, isWritten: m.keep(tests.join('*')) };
}
