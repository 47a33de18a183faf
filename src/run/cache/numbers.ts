/**
 * @file Numbers for values: equal numbers are equal elements, dtype and shape included.
 *
 * A number is given once and never again. What the graph or a cache owns has one by identity; what is fed gets that of the
 * cache's copy of it, once the two were compared element by element.
 */
import { sameBits } from '../../graph/same-bits.js';
import { findNode, isValueNode, type NodeId } from '../../graph/graph.js';
import { hostCopy } from '../../tensor/host-copy.js';
import type { Tensor } from '../../tensor/tensor.js';
import { valueOf, type Frame } from '../frame.js';
import type { Bounded } from './bounded.js';
import { contentOf } from './content.js';
import { bytesOf } from './tensor-cache.js';

type Entries = Bounded<string, Tensor>;

/** Stands as long as nobody gives the node another value. */
interface Known {
  readonly value: Tensor;
  readonly number: number;
}

const numbers = new WeakMap<object, number>();
let given = 0;

/** The number of an object that nobody writes to: a stored tensor, a constant, a backend. */
export function numberOf(owned: object): number {
  let number = numbers.get(owned);
  if (number === undefined) numbers.set(owned, (number = ++given));
  return number;
}

export interface OperandNumbers {
  /** Undefined where an operand is too large for the cache, so that it cannot be told again. */
  numbersOf(frame: Frame, ids: readonly NodeId[], entries: Entries): readonly number[] | undefined;
  /** From now on the node's value in this frame is known by this number. */
  note(frame: Frame, id: NodeId, number: number): void;
}

export function operandNumbers(): OperandNumbers {
  const frames = new WeakMap<Frame, Map<NodeId, Known>>();
  const note = (frame: Frame, id: NodeId, number: number): void => {
    let known = frames.get(frame);
    if (known === undefined) frames.set(frame, (known = new Map()));
    known.set(id, { value: valueOf(frame, id), number });
  };
  return {
    note,
    numbersOf(frame, ids, entries) {
      const found: number[] = [];
      for (const id of ids) {
        const value = valueOf(frame, id);
        const known = frames.get(frame)?.get(id);
        const number = known?.value === value ? known.number : (ofGraph(frame, id, value) ?? ofContent(value, entries));
        if (number === undefined) return undefined;
        if (number !== known?.number) note(frame, id, number);
        found.push(number);
      }
      return found;
    },
  };
}

/** Constants, and params that are not fed. */
function ofGraph({ program: { prepared } }: Frame, id: NodeId, value: Tensor): number | undefined {
  const node = findNode(prepared.graph, id);
  if (node === undefined || !isValueNode(node)) return undefined;
  const isOwn = node.op === 'constant' || prepared.inputs.some((input) => input.node.id === id && input.value === value);
  return isOwn ? numberOf(node.value) : undefined;
}

function ofContent(value: Tensor, entries: Entries): number | undefined {
  if (!entries.takes(bytesOf(value))) return undefined;
  const key = `=${contentOf(value)}`;
  const found = entries.peek(key);
  if (found !== undefined && sameBits(found, value)) return numberOf(found);
  // Another tensor of the same hash takes its place.
  const copy = hostCopy(value);
  return entries.set(key, copy, bytesOf(copy)) ? numberOf(copy) : undefined;
}
