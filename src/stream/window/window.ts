/**
 * @file `window`: records in event time become windows of them.
 */
import { Observable, Subject, type OperatorFunction } from 'rxjs';
import { fault, type EinstreamError } from '../../errors/index.js';
import { link } from '../../run/link.js';
import { serial } from '../../run/serial.js';
import { readCount } from '../demand/bounds.js';
import { consumerFailed } from '../demand/failures.js';
import { lend, type Kept } from '../kept.js';
import { alignedWindows } from './aligned.js';
import { counts } from './counts.js';
import type { Engine, EngineOptions, Late, Windowed } from './engine.js';
import { readKind, type WindowKind } from './kind.js';
import { sessions } from './sessions.js';
import { checkState, type WindowState } from './state.js';
import { checkFunction, checkKnown, readDuration } from '../options.js';
import { type Timed } from './timed.js';

/** How records are grouped, and what becomes of late ones. */
export interface WindowOptions<T, K = undefined> extends Kept<WindowState<T, K>> {
  /** Windows are apart for each key: a string, number or boolean. By default there is one. */
  readonly key?: (value: T) => K;
  /** Milliseconds for which a window is kept after it was told: a record that comes meanwhile lets it be told again. 0 by default. */
  readonly allowedLatenessMs?: number;
  /**
   * Called once at each subscription, with its side output: the records that came after a window of theirs was closed. It completes
   * with the subscription. Without it such a record is an error.
   */
  readonly late?: (late$: Observable<Late<T, K>>) => void;
  /** Windows (of `count`: keys) that may be open at once; 100,000 by default. */
  readonly maxWindows?: number;
}

const PLACE = 'window';
const KNOWN = ['key', 'allowedLatenessMs', 'late', 'maxWindows', 'from', 'state'];

/**
 * Groups records into windows, and tells each of them when the watermark has passed its last millisecond: windows that end first come
 * first, and of these the one opened first. Empty windows are not told. The end of the stream closes all windows.
 *
 * A record whose window was told already, and is kept for `allowedLatenessMs`, lets it be told again at once, with all its records. One that
 * comes later goes to `late$`, with the windows that it missed: nothing is dropped in silence.
 *
 * ```ts
 * const ticks$ = of({ at: 10, price: 5 }, { at: 1020, price: 7 }, { at: 990, price: 6 }, { at: 2100, price: 8 });
 * const late: number[] = [];
 * const means$ = ticks$.pipe(
 *   watermark({ time: ({ at }) => at, delayMs: 50 }),
 *   window({ tumbling: { sizeMs: 1000 } }, { late: (late$) => late$.subscribe(({ time }) => late.push(time)) }),
 *   map(({ start, values }) => [start, values.map(({ price }) => price)]),
 * );
 * means$ // => [[0, [5, 6]], [1000, [7]], [2000, [8]]]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for wrong kinds and options, at the call; on the stream E_EXPIRED for a late record that nobody takes,
 *   E_LIMIT for one window too many, E_CONSUMER for a callback that throws
 */
export function window<T, K = undefined>(
  kind: WindowKind,
  options: WindowOptions<T, K> = {},
): OperatorFunction<Timed<T>, Windowed<T, K>> {
  const of = readKind(kind);
  checkKnown(PLACE, options, KNOWN);
  const { key, late } = options;
  if (key !== undefined) checkFunction(PLACE, 'key', key);
  if (late !== undefined) checkFunction(PLACE, 'late', late);
  const latenessMs = readDuration(PLACE, 'allowedLatenessMs', options.allowedLatenessMs ?? 0);
  const maxWindows = readCount(PLACE, 'maxWindows', options.maxWindows ?? 100_000);
  const from = checkState(options.from, of);
  return (timed$) =>
    new Observable((subscriber) => {
      const late$ = new Subject<Late<T, K>>();
      const engine = engineOf<T, K>({
        of,
        latenessMs,
        maxWindows,
        from,
        told: {
          window: (window) => subscriber.next(window),
          late(record) {
            if (late === undefined) throw unwanted(record);
            late$.next(record);
          },
          isOpen: () => !subscriber.closed,
        },
      });
      lend(options, engine.read);
      subscriber.add(() => late$.complete());
      called('late', () => late?.(late$.asObservable()));
      const attempt = (act: () => void): void => {
        if (subscriber.closed) return;
        try {
          act();
        } catch (error) {
          subscriber.error(error);
        }
      };
      attempt(() => engine.advance(from.watermark));
      if (subscriber.closed) return;
      link(
        timed$,
        subscriber,
        serial({
          next: (item) =>
            attempt(() => {
              if (item.kind === 'watermark') engine.advance(item.time);
              else if (item.kind === 'record') {
                const { time, value } = item;
                engine.record(called('key', () => key?.(value)) as K, time, value);
              }
            }),
          error: (error: unknown) => subscriber.error(error),
          complete() {
            attempt(() => engine.advance(Infinity));
            subscriber.complete();
          },
        }),
      );
    });
}

function engineOf<T, K>(options: EngineOptions<T, K>): Engine<T, K> {
  const { of } = options;
  switch (of.kind) {
    case 'aligned':
      return alignedWindows({ ...options, of });
    case 'session':
      return sessions({ ...options, of });
    case 'count':
      return counts({ ...options, of });
  }
}

/** A callback of the user. */
function called<R>(place: string, call: () => R): R {
  try {
    return call();
  } catch (error) {
    throw consumerFailed(place, error);
  }
}

const unwanted = <T, K>({ time, watermark, missed }: Late<T, K>): EinstreamError =>
  fault('E_EXPIRED', {
    place: PLACE,
    rule: 'a record came when its windows were closed, and nobody takes late records',
    expected: `times after the watermark, ${watermark}`,
    actual: `time ${time}, in [${missed[0].start}, ${missed[0].end})`,
    hint: 'take them, { late: (late$) => … }, or wait longer: delayMs of watermark, allowedLatenessMs of window',
  });
