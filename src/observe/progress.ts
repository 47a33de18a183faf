/**
 * @file How far runs are, as a stream.
 */
import { Subject, type Observable } from 'rxjs';
import type { ExecutionHook, ExecutionPhase, ExecutionState } from '../run/index.js';
import { clockOf, type ClockOptions } from './clock.js';

/** A run as it stands. */
export interface Progress {
  /** Counts the runs of the context from 1. */
  readonly run: number;
  readonly phase: ExecutionPhase;
  /** From 0 to 1, never falling; 1 exactly when the run is complete. */
  readonly progress: number;
  /** Feeds answered so far. */
  readonly frames: number;
  /** Milliseconds since the run began. */
  readonly elapsedMs: number;
  /** Feeds answered in a second, on average; 0 before the first. */
  readonly framesPerSecond: number;
  /** Milliseconds until the end at this pace; undefined before the first step forward. Worth as much as the context's `total`. */
  readonly remainingMs: number | undefined;
}

/** A hook, and what it hears as a stream. */
export interface ProgressReport {
  readonly hook: ExecutionHook;
  /** Hot: the state at each change of phase and after each feed, of all runs that the hook hears of. It never ends. */
  readonly progress$: Observable<Progress>;
}

/**
 * Follows runs as they go: give the hook to a `context`, with the number of feeds that are expected as its `total`.
 *
 * A feed costs two emissions. For a display thin them out with RxJS: `auditTime(100)`.
 *
 * ```ts
 * const { hook, progress$ } = progress();
 * const seen: number[] = [];
 * progress$.pipe(filter(({ phase }) => phase === 'Waiting')).subscribe(({ frames }) => seen.push(frames));
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: mul(x, 2) }));
 * of({ x: [1, 2] }, { x: [3, 4] }).pipe(run(g, { context: context({ hooks: [hook], total: 2 }) })).subscribe();
 * seen // => [1, 2]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for a clock that is no function
 */
export function progress(options: ClockOptions = {}): ProgressReport {
  const now = clockOf(options);
  const changes = new Subject<Progress>();
  const starts = new Map<number, number>();
  const tell = (phase: ExecutionPhase, { run, progress: fraction, frames }: ExecutionState): void => {
    const at = now();
    if (!starts.has(run)) starts.set(run, at);
    const elapsedMs = at - starts.get(run)!;
    changes.next({
      run,
      phase,
      progress: fraction,
      frames,
      elapsedMs,
      framesPerSecond: elapsedMs > 0 ? (frames * 1000) / elapsedMs : 0,
      remainingMs: fraction > 0 ? (elapsedMs * (1 - fraction)) / fraction : undefined,
    });
    if (phase === 'Complete' || phase === 'Failed' || phase === 'Cancelled') starts.delete(run);
  };
  return { hook: { onPhaseChange: tell }, progress$: changes.asObservable() };
}
