/**
 * @file Which constants are the same to the last bit: 0 is not −0, and a NaN is equal only to the same NaN.
 */
import { bytesOf } from '../graph/base64.js';
import type { ConstantNode, NodeId } from '../graph/graph.js';
import { sameBits } from '../graph/same-bits.js';
import { isGone } from '../tensor/tensor.js';

/** Gives each constant the first one that is equal to it, itself where there is none. */
export function firstEqualConstant(): (node: ConstantNode) => NodeId {
  const known = new Map<string, ConstantNode[]>();
  return (node) => {
    const { value } = node;
    // What was lent and can be read no longer is the run's to refuse, at its own place.
    if (isGone(value)) return node.id;
    const key = `${value.dtype} ${value.shape.join()} ${hash(bytesOf(value.data))}`;
    const alike = known.get(key);
    const first = alike?.find((each) => sameBits(each.value, value));
    if (first !== undefined) return first.id;
    if (alike === undefined) known.set(key, [node]);
    else alike.push(node);
    return node.id;
  };
}

function hash(bytes: Uint8Array): number {
  let mixed = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) mixed = Math.imul(mixed ^ bytes[i], 0x01000193);
  return mixed;
}
