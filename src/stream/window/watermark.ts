/**
 * @file `watermark`: values become records in event time, with watermarks between them.
 */
import { asyncScheduler, Observable, Subscription, type OperatorFunction, type SchedulerLike } from 'rxjs';
import { describeValue, fault } from '../../errors/index.js';
import { link } from '../../run/link.js';
import { serial } from '../../run/serial.js';
import { consumerFailed } from '../demand/failures.js';
import { lend, type Kept } from '../kept.js';
import { checkFunction, checkKnown, readDuration } from '../options.js';
import { asKept, EARLIEST, wrongState, type Timed } from './timed.js';

/** What `watermark` remembers. */
export interface WatermarkState {
  /** The latest time of a record. */
  readonly latest: number;
  /** The last watermark that was told. */
  readonly told: number;
}

/** Which time a value has, and how long others of that time are waited for. */
export interface WatermarkOptions<T> extends Kept<WatermarkState> {
  /** When it happened, in milliseconds since the epoch: a finite number. */
  readonly time: (value: T) => number;
  /** Milliseconds by which a record may come after later ones and is not late; 0 by default. */
  readonly delayMs?: number;
  /** Milliseconds after its last record (or the subscription) at which an input counts as idle; never by default. */
  readonly idleMs?: number;
  /** Times idleness; `asyncScheduler` by default. */
  readonly scheduler?: SchedulerLike;
}

const PLACE = 'watermark';
const KNOWN = ['time', 'delayMs', 'idleMs', 'scheduler', 'from', 'state'];

/**
 * Puts values into event time. The watermark follows each record that moves it: the latest time − `delayMs` − 1 ms, never back. At the
 * end it is +Infinity, so that every window closes.
 *
 * ```ts
 * const timed$ = of(10, 40, 20).pipe(watermark({ time: (t) => t, delayMs: 5 }));
 * timed$.pipe(filter(({ kind }) => kind === 'watermark'), map(({ time }) => time)) // => [4, 34, Infinity]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for wrong options, at the call; E_CONSUMER on the stream when `time` throws or gives no time
 */
export function watermark<T>(options: WatermarkOptions<T>): OperatorFunction<T, Timed<T>> {
  checkKnown(PLACE, options, KNOWN);
  checkFunction(PLACE, 'time', options.time);
  const delay = readDuration(PLACE, 'delayMs', options.delayMs ?? 0);
  const { idleMs, scheduler = asyncScheduler } = options;
  if (idleMs !== undefined) readDuration(PLACE, 'idleMs', idleMs, 'positive');
  const start = readState(options.from);
  return (values$) =>
    new Observable((subscriber) => {
      let { latest, told } = start;

      const advance = (time: number): void => {
        if (time <= told || subscriber.closed) return;
        told = time;
        subscriber.next({ kind: 'watermark', time });
      };
      lend(options, () => Object.freeze({ latest, told: asKept(told) }));
      const idle = idleMs === undefined ? undefined : idling(idleMs, scheduler, () => subscriber.next({ kind: 'idle' }));
      if (idle !== undefined) subscriber.add(idle.timer);
      link(
        values$,
        subscriber,
        serial({
          next(value) {
            if (subscriber.closed) return;
            let time: number;
            try {
              time = timeOf(options.time, value);
            } catch (error) {
              return subscriber.error(error);
            }
            idle?.heard();
            latest = Math.max(latest, time);
            subscriber.next({ kind: 'record', time, value });
            if (latest > EARLIEST) advance(latest - delay - 1);
          },
          error: (error: unknown) => subscriber.error(error),
          complete() {
            advance(Infinity);
            subscriber.complete();
          },
        }),
      );
    });
}

interface Idling {
  readonly heard: () => void;
  readonly timer: Subscription;
}

/** One timer that looks when the last record was, and rests while there is none: records make no timers. */
function idling(idleMs: number, scheduler: SchedulerLike, tell: () => void): Idling {
  const timer = new Subscription();
  let last = scheduler.now();
  let isIdle = false;
  const watch = (ms: number): void => {
    const due = scheduler.schedule(() => {
      timer.remove(due);
      const rest = last + idleMs - scheduler.now();
      if (rest > 0) return watch(rest);
      isIdle = true;
      tell();
    }, ms);
    timer.add(due);
  };
  watch(idleMs);
  return {
    timer,
    heard() {
      last = scheduler.now();
      if (!isIdle) return;
      isIdle = false;
      watch(idleMs);
    },
  };
}

function timeOf<T>(time: (value: T) => number, value: T): number {
  let at: unknown;
  try {
    at = time(value);
  } catch (error) {
    throw consumerFailed('time', error);
  }
  if (typeof at === 'number' && Number.isFinite(at)) return at;
  throw fault('E_CONSUMER', { place: 'time', rule: 'a record has a finite time in milliseconds', actual: describeValue(at) });
}

function readState(from: WatermarkState | undefined): WatermarkState {
  if (from === undefined) return { latest: EARLIEST, told: EARLIEST };
  if (typeof from?.latest === 'number' && typeof from.told === 'number') return from;
  throw wrongState(PLACE, 'a state has the latest time and the last watermark', '{ latest, told }', describeValue(from));
}
