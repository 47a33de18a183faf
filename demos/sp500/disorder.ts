/**
 * @file The days as a slow network would bring them: most in order, some days after others, a few very late.
 */
import { asyncScheduler, Observable, type SchedulerLike } from 'rxjs';
import type { Day } from './days.js';

const DAY = 86_400_000;

/** Midnight of the day, UTC, in milliseconds since the epoch. */
export const timeOf = ({ date }: Day): number => Date.parse(`${date}T00:00:00Z`);

/** Days on the way: up to `usual` for most; for `share` of them more, up to `most`. */
export interface Delays {
  readonly usual: number;
  readonly share: number;
  readonly most: number;
  readonly seed: number;
}

export interface Arrival {
  readonly day: Day;
  /** When it comes, in milliseconds since the epoch. */
  readonly at: number;
}

/** In the order in which they come. The same seed gives the same order. */
export function arrivals(days: readonly Day[], { usual, share, most, seed }: Delays): readonly Arrival[] {
  const random = mulberry32(seed);
  return days
    .map((day) => {
      const late = random() < share ? random() * (most - usual) + usual : 0;
      return { day, at: timeOf(day) + DAY * Math.max(late, random() * usual) };
    })
    .sort((a, b) => a.at - b.at);
}

/** The arrivals in their own rhythm, `speed` times as fast. */
export function replayed(all: readonly Arrival[], speed: number, scheduler: SchedulerLike = asyncScheduler): Observable<Day> {
  return new Observable((subscriber) => {
    const start = scheduler.now();
    let next = 0;
    const dueIn = (index: number): number => start + (all[index].at - all[0].at) / speed - scheduler.now();
    const tell = (): void => {
      for (; next < all.length && dueIn(next) <= 0; next++) subscriber.next(all[next].day);
      if (next === all.length) subscriber.complete();
      else subscriber.add(scheduler.schedule(tell, dueIn(next)));
    };
    tell();
  });
}

/** Tommy Ettinger's generator: 32 bits of state, uniform in [0, 1). */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
