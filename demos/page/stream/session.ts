/**
 * @file One session of the live stream, from subscribing to unsubscribing: samples, windows, answers, pictures and numbers.
 */
import {
  catchError,
  defer,
  EMPTY,
  filter,
  interval,
  map,
  merge,
  scan,
  share,
  startWith,
  switchMap,
  tap,
  withLatestFrom,
  type Observable,
} from 'rxjs';
import { draw } from '../ui/canvas.js';
import { text, type Finder } from '../ui/dom.js';
import type { Gauge } from '../ui/gauge.js';
import { longTasks$ } from '../ui/longTasks.js';
import { analysis } from './analysis.js';
import type { Backends } from './backends.js';
import { scoreScene, signalScene } from './charts.js';
import { meter } from './meter.js';
import { showReadings } from './numbers.js';
import { pictures } from './pictures.js';
import { relay } from './relay.js';
import type { Signal } from './signals.js';
import { credit, windows } from './windows.js';

export interface Surroundings {
  readonly at: Finder;
  readonly backends: Backends;
  readonly gauge: Gauge;
  /** What the visitor chose. */
  readonly backend$: Observable<string>;
  readonly signal$: Observable<Signal>;
  readonly isRunning$: Observable<boolean>;
  readonly say: (words: string) => void;
}

/** Samples a second. */
const RATE = 60;
/** Frames under way at a time: the source waits for the rest. */
const ROOM = 4;
/** Milliseconds between two readings of the meter. */
const PERIOD = 250;

export const session = ({ at, backends, gauge, backend$, signal$, isRunning$, say }: Surroundings): Observable<never> =>
  defer(() => {
    const room = credit(ROOM);
    const { feed, answer, read } = meter();

    // A clock of its own: the stream does not wait for the display.
    const ticks$ = interval(1000 / RATE).pipe(
      withLatestFrom(isRunning$),
      filter(([, isRunning]) => isRunning),
      room.whenRoom(),
      // There is something to see from the start, also where nothing is to move.
      startWith(undefined),
    );
    const frames$ = signal$.pipe(
      tap(({ title, note }) => {
        at('signal-title').textContent = title;
        at('signal-note').textContent = note;
      }),
      switchMap(({ pulls$ }) => pulls$),
      switchMap(windows(ticks$)),
      map((window, number) => ({ ...window, number })),
      tap(() => {
        room.begin();
        feed();
      }),
      gauge.watch(),
    );
    const opened$ = backend$.pipe(
      switchMap((value) =>
        backends.open(value).pipe(
          tap(({ name, backend }) => say(`${name}: ${backend.capabilities.remarks[0] ?? 'one thread computes'}.`)),
          catchError((error: unknown) => {
            say(`${error instanceof Error ? error.message : String(error)}. The backend before goes on.`);
            return EMPTY;
          }),
        ),
      ),
      gauge.watch(),
    );
    const answers$ = frames$.pipe(
      relay(analysis, opened$),
      tap((each) => {
        room.end();
        answer(each);
      }),
      gauge.watch(),
      share(),
    );
    const pictures$ = answers$.pipe(pictures(), share());
    const longest$ = backend$.pipe(
      switchMap(() =>
        longTasks$.pipe(
          scan((most, duration) => Math.max(most, duration), 0),
          startWith(0),
        ),
      ),
    );

    return merge(
      draw(at('chart', HTMLCanvasElement), pictures$.pipe(map(signalScene))),
      draw(at('scores', HTMLCanvasElement), pictures$.pipe(map(scoreScene))),
      showReadings(at, interval(PERIOD).pipe(map(read), gauge.watch())),
      text(at('longest'), longest$.pipe(map(Math.round), gauge.watch())),
    );
  });
