/**
 * @file What the leaves of expressions read, at an index of each axis of a nest.
 */
import { rowMajorStrides } from '../../../tensor/shape.js';
import { literal } from '../../emitted.js';
import { addressOf, count, windowOf } from './cells.js';
import type { Job } from './job.js';
import type { Leaves } from './scalar.js';
import type { Text } from './text.js';

/** Leaves of one of the elements that a thread computes: the `lane`-th along the tiled axis. */
export type LeavesOf = (lane: number, fold: (index: number) => string) => Leaves;

/** What is read at these indices, once for all lanes that need the same. Fewer indices than axes are those of a group. */
export function leavesAt(m: Text, { ir, residents }: Job, indices: readonly string[], tiled?: number): LeavesOf {
  const inner = ir.extents.slice(ir.outer);
  const known = new Map<string, string>();
  const once = (expression: string): string => {
    const name = known.get(expression) ?? m.keep(expression);
    known.set(expression, name);
    return name;
  };
  const read = (index: number, lane: number): string => {
    const { operand, start } = windowOf(index, ir.inputs[index], ir.extents.slice(0, indices.length), residents[index]);
    const address = addressOf(indices, ir.inputs[index].strides, start);
    const array = m.array(operand);
    if (tiled === undefined) return `${array}[${address}]`;
    const stride = ir.inputs[index].strides[tiled];
    if (stride === 0) return once(`${array}[${address}]`);
    return once(lane === 0 ? `${array}[${once(address)}]` : `${array}[${once(address)}+${literal(lane * stride)}]`);
  };
  return (lane, fold) => ({
    operand: (index) => read(index, lane),
    fold,
    position: () => addressOf(indices.slice(ir.outer), rowMajorStrides(inner)),
    count: count(inner),
  });
}
