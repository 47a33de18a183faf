/**
 * @file Batch normalisation with given statistics: (x − mean) / √(variance + ε), then × scale and + shift, where given.
 */
import type { NodeId, OpNode } from '../../graph/graph.js';
import { vectorAxis, type Reading } from './reading.js';

/** True where this value is one, its steps on whole tensors members of the group, and all vectors along one axis. */
export function isBatchNorm(reading: Reading, id: NodeId): boolean {
  const axes: (number | undefined)[] = [];
  let at: NodeId | undefined = id;
  // Scale and shift are both optional, and come last.
  for (const op of ['add', 'mul'] as const) {
    const node = reading.member(at);
    if (node === undefined || node.op !== op) continue;
    const whole: NodeId | undefined = node.inputs.find((each, k) => vectorAxis(reading, node.inputs[1 - k], each) !== undefined);
    if (whole === undefined || isScaled(reading, node)) continue;
    axes.push(vectorAxis(reading, node.inputs[node.inputs[0] === whole ? 1 : 0], whole));
    at = whole;
  }
  const scaled = reading.member(at);
  if (scaled === undefined || !isScaled(reading, scaled)) return false;
  const [centred, deviation] = isDivisor(reading, scaled, scaled.inputs[1]) ? scaled.inputs : [...scaled.inputs].reverse();
  const difference = reading.member(centred);
  if (difference?.op !== 'sub') return false;
  axes.push(vectorAxis(reading, deviation, centred), vectorAxis(reading, difference.inputs[1], difference.inputs[0]));
  return axes.every((axis) => axis !== undefined && axis === axes[0]);
}

const isScaled = (reading: Reading, node: OpNode): boolean => node.inputs.some((id) => isDivisor(reading, node, id));

/** √(variance + ε) that the node divides by, or one over it that it multiplies by: ε is a number, not a tensor. */
function isDivisor({ maker, dims }: Reading, { op, inputs }: OpNode, id: NodeId): boolean {
  const given = maker(id);
  const isOver = op === 'mul' && given?.op === 'reciprocal';
  const root = isOver ? maker(given.inputs[0]) : given;
  if (op === 'div' ? id !== inputs[1] || root?.op !== 'sqrt' : op !== 'mul' || root?.op !== (isOver ? 'sqrt' : 'rsqrt'))
    return false;
  const sum = maker(root!.inputs[0]);
  return sum?.op === 'add' && sum.inputs.some((each) => dims(each)?.length === 0);
}
