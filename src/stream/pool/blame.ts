/**
 * @file Whose fault it is that a hand is gone: of the runs that it held, those that it may have begun.
 */
import type { Attempt } from './slot.js';

export interface Blame {
  /** They may have been begun, so this counts as an attempt. */
  readonly struck: readonly Attempt[];
  /** They only waited there, and may be given to another hand as if nothing had been. */
  readonly innocent: readonly Attempt[];
}

/**
 * Abandoned runs are nobody's concern any more, but may have been the one that was computed.
 *
 * @param attempts in the order in which the hand was given them
 * @param inOrder the hand computes one after another
 */
export function blame(attempts: readonly Attempt[], inOrder: boolean): Blame {
  // An answer may have been on its way, so the second may have been begun: what must not be done twice is not.
  const isStruck = (attempt: Attempt, at: number): boolean => !inOrder || at === 0 || attempt.request.asked.idempotent === false;
  const wanted = attempts.map((attempt, at) => ({ attempt, at })).filter(({ attempt }) => !attempt.isAbandoned);
  return {
    struck: wanted.filter(({ attempt, at }) => isStruck(attempt, at)).map(({ attempt }) => attempt),
    innocent: wanted.filter(({ attempt, at }) => !isStruck(attempt, at)).map(({ attempt }) => attempt),
  };
}
