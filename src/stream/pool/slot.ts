/**
 * @file A place in a crew: hands come and go, the place stays.
 */
import type { Subscription } from 'rxjs';
import type { Hand } from './hand.js';
import type { WorkerStats } from './ledger.js';
import type { Request } from './request.js';

/** One try of a request, by one hand. */
export interface Attempt {
  readonly run: number;
  readonly request: Request;
  readonly slot: Slot;
  /** That of the slot when it began. */
  readonly hand: Hand;
  readonly startedAt: number;
  /** Nobody waits for it any more. */
  isAbandoned: boolean;
  /** Ends it when its time is over. */
  timer: Subscription | undefined;
}

export interface Slot {
  readonly index: number;
  state: 'starting' | 'up' | 'down';
  hand: Hand | undefined;
  /** By number. */
  readonly runs: Map<number, Attempt>;
  answered: number;
  busyMs: number;
  /** Answers of the hand that is there now. */
  answeredByHand: number;
}

export const newSlot = (index: number): Slot => ({
  index,
  state: 'down',
  hand: undefined,
  runs: new Map(),
  answered: 0,
  busyMs: 0,
  answeredByHand: 0,
});

export const slotStats = ({ state, runs, answered, busyMs, hand }: Slot): WorkerStats => ({
  state: state !== 'up' ? state : runs.size > 0 ? 'busy' : 'idle',
  answered,
  busyMs,
  pid: hand?.pid,
});

/** The one with least to do, and of those the one that has done least. */
export function leastLoaded(slots: readonly Slot[]): Slot | undefined {
  let best: Slot | undefined;
  for (const slot of slots)
    if (best === undefined || slot.runs.size < best.runs.size || (slot.runs.size === best.runs.size && slot.busyMs < best.busyMs))
      best = slot;
  return best;
}

/** One after another. */
export function roundRobin(): (slots: readonly Slot[]) => Slot | undefined {
  let last = -1;
  return (slots) => {
    const next = slots.find(({ index }) => index > last) ?? slots[0];
    if (next !== undefined) last = next.index;
    return next;
  };
}
