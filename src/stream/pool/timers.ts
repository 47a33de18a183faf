/**
 * @file Timers on an injected scheduler.
 */
import { Subscription, type SchedulerLike } from 'rxjs';

/** Longest that a timer of the platform can be; what is longer is never. */
const LONGEST = 2 ** 31 - 1;

/** Calls `act` after so many milliseconds; `Infinity` never comes. */
export const after = (scheduler: SchedulerLike, ms: number, act: () => void): Subscription =>
  ms > LONGEST ? Subscription.EMPTY : scheduler.schedule(act, Math.max(0, ms));
