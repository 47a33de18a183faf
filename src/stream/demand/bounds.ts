/**
 * @file The bounds of an edge, in items and in bytes.
 */
import { describeValue, fault } from '../../errors/index.js';
import { calling } from './failures.js';
import { bytesOf } from './size-of.js';

/** How much may be in flight on an edge. */
export interface Bounds<T = unknown> {
  /** Items, an integer ≥ 1. */
  readonly credits: number;
  /** Bytes, a number above 0: no item is asked for while so many are held, so that at most one item goes beyond. No bound by default. */
  readonly bytes?: number;
  /** Bytes of an item. By default those of the tensors, typed arrays, numbers and strings that it holds. */
  readonly sizeOf?: (item: T) => number;
}

/** @throws EinstreamError E_ARGUMENT naming the number that cannot bound anything */
export function readCount(place: string, name: string, value: unknown, least = 1): number {
  if (Number.isSafeInteger(value) && (value as number) >= least) return value as number;
  throw fault('E_ARGUMENT', {
    place,
    rule: `${name} must be an integer ≥ ${least}`,
    actual: describeValue(value),
  });
}

/** @throws EinstreamError E_ARGUMENT naming what is wrong */
export function checkBytes(place: string, { bytes, sizeOf }: Partial<Bounds<never>>): void {
  if (bytes !== undefined && !(typeof bytes === 'number' && bytes > 0))
    throw fault('E_ARGUMENT', { place, rule: 'bytes must be a number above 0', actual: describeValue(bytes) });
  if (sizeOf !== undefined && typeof sizeOf !== 'function')
    throw fault('E_ARGUMENT', { place, rule: 'sizeOf must be a function', actual: describeValue(sizeOf) });
}

/** @throws EinstreamError E_ARGUMENT naming what is wrong */
export function checkBounds(place: string, bounds: Bounds<never>): void {
  if (typeof bounds !== 'object' || bounds === null)
    throw fault('E_ARGUMENT', { place, rule: 'an edge has bounds', expected: '{ credits }', actual: describeValue(bounds) });
  readCount(place, 'credits', bounds.credits);
  checkBytes(place, bounds);
}

/** Room for what is in flight on one edge. */
export interface Room<T> {
  /** How many items more may be asked for now; they count as held from here on. */
  readonly take: () => number;
  /** An item that was asked for is there: its size, to be given back with it. */
  readonly enter: (item: T) => number;
  /** One more is held that was not asked for, such as the second output of an item: its size. */
  readonly add: (item: T) => number;
  /** In its place another one is held, such as the output made of it. */
  readonly swap: (size: number, item: T) => number;
  readonly leave: (size: number) => void;
}

export function roomFor<T>(bounds: Bounds<T>): Room<T> {
  const { credits, bytes } = bounds;
  let held = 0;
  if (bytes === undefined)
    return {
      take() {
        const free = Math.max(0, credits - held);
        held += free;
        return free;
      },
      enter: () => 0,
      add: () => (held++, 0),
      swap: () => 0,
      leave: () => void held--,
    };
  const sizeOf = sizing(bounds.sizeOf);
  // How large an item is shows when it is there, so one is asked for at a time.
  let [asked, heldBytes] = [0, 0];
  return {
    take() {
      if (asked > 0 || held >= credits || heldBytes >= bytes) return 0;
      held++;
      return ++asked;
    },
    enter(item) {
      asked--;
      const size = sizeOf(item);
      heldBytes += size;
      return size;
    },
    add(item) {
      const size = sizeOf(item);
      held++;
      heldBytes += size;
      return size;
    },
    swap(size, item) {
      const now = sizeOf(item);
      heldBytes += now - size;
      return now;
    },
    leave(size) {
      held--;
      heldBytes -= size;
    },
  };
}

/** The user's function, held to its word. */
export function sizing<T>(sizeOf: ((item: T) => number) | undefined): (item: T) => number {
  if (sizeOf === undefined) return (item) => bytesOf(item);
  return (item) => {
    const size: unknown = calling('sizeOf', () => sizeOf(item));
    if (typeof size === 'number' && size >= 0) return size;
    throw fault('E_CONSUMER', { place: 'sizeOf', rule: 'sizeOf gives bytes, a number ≥ 0', actual: describeValue(size) });
  };
}
