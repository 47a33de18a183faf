/**
 * @file Lines in, lines out, as a job: a line is pulled when there is room for what comes of it, and where the job stands can be kept.
 */
import { defer, map, merge, of, pipe, Subject, Subscription, timer, type Observable, type OperatorFunction, type SchedulerLike } from 'rxjs'; // prettier-ignore
import { checkpointed, type CheckpointStore, type Stage } from '../stream/index.js';
import type { FeedLines } from './feed-lines.js';
import type { Signal } from './io.js';
import type { Ledger, Place } from './ledger.js';
import type { RunSink } from './run-sink.js';
import type { Answer, FedLine, Told, Unit } from './units.js';

export interface Streaming {
  readonly lines: FeedLines;
  readonly ledger: Ledger;
  readonly unitsOf: (stage: Stage) => OperatorFunction<FedLine, Unit>;
  readonly compute: OperatorFunction<Unit, Answer>;
  /** What it throws ends the stream. */
  readonly tell: (answer: Answer) => Told;
  readonly sink: RunSink;
  /** Errors of what the sink writes to, at any time. */
  readonly failed$: Observable<never>;
  readonly store: CheckpointStore;
  /** When checkpoints are written; the end and a signal call for one by themselves. */
  readonly every: { readonly every?: number; readonly everyMs?: number };
  /** Lines that may be on their way at one time. */
  readonly ahead: number;
  /** Hears of each checkpoint. */
  readonly saved: () => void;
  readonly signals$: Observable<Signal>;
  readonly scheduler: SchedulerLike;
  readonly onDiagnostic: Parameters<typeof checkpointed>[0]['onDiagnostic'];
}

/** How it ended: by itself, or by a signal. */
export interface Ending {
  readonly signal?: Signal;
  /** What was on its way has been told, and where it stood is written down. */
  readonly isSaved: boolean;
  /** A second signal came: nothing is waited for any more. */
  readonly isAbrupt?: boolean;
}

/** Milliseconds in which what is on its way may be told after a signal. */
export const GRACE_MS = 10_000;

/** Windows keep more than the few values that a checkpoint usually holds. */
const LIMITS = { tensors: 2 ** 24, values: 2 ** 27 };

/** Runs the lines to their end, or until a signal comes. Rejects with what broke, or with what `tell` threw. */
export function stream(streaming: Streaming): Promise<Ending> {
  const { lines, ledger, unitsOf, compute, tell, sink, store, every, ahead, scheduler, onDiagnostic } = streaming;
  const all = new Subscription();
  const again$ = new Subject<void>();
  let signal: Signal | undefined;
  const job$ = checkpointed<FedLine, Told>({
    source: () => lines.read(),
    through(stage) {
      ledger.keep(stage.keep<Place>('input'));
      return pipe(ledger.noting, unitsOf(stage), stage.inFlight(compute), map(tell));
    },
    sink,
    store,
    ...every,
    barriers$: defer(() => (signal === undefined ? again$ : merge(of(undefined), again$))),
    ahead,
    limits: LIMITS,
    scheduler,
    onDiagnostic,
  });
  const ending = new Promise<Ending>((resolve, reject) => {
    all.add(streaming.failed$.subscribe({ error: reject }));
    const stop = (given: Signal): void => {
      if (signal !== undefined) return resolve({ signal, isSaved: false, isAbrupt: true });
      signal = given;
      lines.stop();
      all.add(timer(GRACE_MS, scheduler).subscribe(() => resolve({ signal, isSaved: false })));
      again$.next();
    };
    all.add(streaming.signals$.subscribe(stop));
    all.add(
      job$.subscribe({
        next({ position, isComplete }) {
          streaming.saved();
          if (signal === undefined || isComplete) return;
          // A line may have been taken since the barrier.
          if (position === ledger.fed) resolve({ signal, isSaved: true });
          else again$.next();
        },
        error: reject,
        complete: () => resolve({ isSaved: true }),
      }),
    );
  });
  return ending.finally(() => all.unsubscribe());
}
