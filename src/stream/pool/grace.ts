/**
 * @file Runs that nobody waits for any more: they are asked to end, and their worker is replaced where they do not.
 */
import type { EinstreamError } from '../../errors/index.js';
import { tooLong } from './endings.js';
import type { Settings } from './options.js';
import type { Attempt, Slot } from './slot.js';
import { after } from './timers.js';

export interface Grace {
  /** From now on nobody waits for it. */
  readonly abandon: (attempt: Attempt) => void;
  /** A run of this slot has ended. */
  readonly next: (slot: Slot) => void;
}

export function grace(
  { scheduler, graceMs, inOrder }: Pick<Settings, 'scheduler' | 'graceMs' | 'inOrder'>,
  replace: (slot: Slot, error: EinstreamError) => void,
): Grace {
  const ask = (attempt: Attempt): void => {
    const { slot, run } = attempt;
    attempt.timer = after(scheduler, graceMs, () => replace(slot, tooLong(graceMs)));
    slot.hand?.cancel(run);
  };
  /** One that waits behind another in its worker has its time when its turn comes. */
  const askFirst = (slot: Slot): void => {
    const first = slot.runs.values().next().value;
    if (first?.isAbandoned === true && first.timer === undefined) ask(first);
  };
  return {
    abandon(attempt) {
      attempt.isAbandoned = true;
      attempt.timer?.unsubscribe();
      attempt.timer = undefined;
      if (attempt.request.attempt === attempt) attempt.request.attempt = undefined;
      if (inOrder) askFirst(attempt.slot);
      else ask(attempt);
    },
    next(slot) {
      if (inOrder) askFirst(slot);
    },
  };
}
