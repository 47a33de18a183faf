/**
 * @file The live stream on the page: open or closed, running or paused. Closing it, or leaving the page, leaves nothing behind.
 */
import {
  BehaviorSubject,
  catchError,
  distinctUntilChanged,
  EMPTY,
  from,
  fromEvent,
  ignoreElements,
  interval,
  map,
  merge,
  Observable,
  scan,
  startWith,
  switchMap,
} from 'rxjs';
import { choose, clicks, effect, instantiate, text } from '../ui/dom.js';
import { gauge } from '../ui/gauge.js';
import type { View } from '../ui/view.js';
import { findBackends, type Backends } from './backends.js';
import { showGpu } from './numbers.js';
import { session } from './session.js';
import { SIGNALS } from './signals.js';

/** Milliseconds between two looks at the GPU. */
const PERIOD = 250;

/** Whoever asked for less motion starts with a stream that stands still. */
const startsMoving = (): boolean => !matchMedia('(prefers-reduced-motion: reduce)').matches;

export function streamView(): View {
  const { root, at } = instantiate('stream');
  const [pause, toggle] = [at('pause', HTMLButtonElement), at('toggle', HTMLButtonElement)];
  const say = (words: string): void => void (at('status').textContent = words);
  const subscriptions = gauge();
  const isRunning$ = new BehaviorSubject(startsMoving());
  const isOpen$ = merge(clicks(toggle).pipe(map(() => 'turn')), fromEvent(window, 'pagehide').pipe(map(() => 'close'))).pipe(
    scan((isOpen, act) => act === 'turn' && !isOpen, true),
    startWith(true),
    distinctUntilChanged(),
  );

  /** Says what is left, when all is closed. */
  const closed = (backends: Backends): Observable<never> =>
    from(backends.closed()).pipe(
      map(() => say(`The stream is closed. ${backends.onGpu()?.handles ?? 0} live GPU handles.`)),
      ignoreElements(),
    );

  const live = (backends: Backends): Observable<never> => {
    const backend$ = choose(at('backends'), 'backend', backends.choices);
    const signal$ = choose(at('signals'), 'signal', SIGNALS).pipe(map((value) => SIGNALS.find((each) => each.value === value)!));
    const opening = session({ at, backends, gauge: subscriptions, backend$, signal$, isRunning$, say }).pipe(
      catchError((error: unknown) => {
        say(`The stream ended: ${error instanceof Error ? error.message : String(error)}`);
        return EMPTY;
      }),
    );
    return merge(
      isOpen$.pipe(
        switchMap((isOpen) => {
          toggle.textContent = isOpen ? 'Close the stream' : 'Open the stream';
          pause.disabled = !isOpen;
          return isOpen ? opening : closed(backends);
        }),
      ),
      effect(clicks(pause), () => isRunning$.next(!isRunning$.value)),
      text(pause, isRunning$.pipe(map((isRunning) => (isRunning ? 'Pause' : 'Resume')))),
      text(at('subscriptions'), subscriptions.open$),
      showGpu(at, interval(PERIOD).pipe(map(backends.onGpu))),
    );
  };
  return { root, life$: from(findBackends()).pipe(switchMap(live)) };
}
