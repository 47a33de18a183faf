/**
 * @file `fromObservable`: a source that cannot wait, behind a policy that has a name.
 */
import type { Observable } from 'rxjs';
import { describeValue, fault, type Diagnostic, type EinstreamError } from '../../errors/index.js';
import { teller } from '../../run/ending.js';
import { listener } from '../../run/link.js';
import { checkBytes, readCount } from './bounds.js';
import type { Flow } from './flow.js';
import { outlet, type Outlet, type Producer } from './outlet.js';
import { waitingRoom, type WaitingRoom } from './waiting-room.js';

/** What happens to items for which there is no room: E_QUEUE_FULL, or one of them is dropped. `'latest'` keeps the newest alone. */
export type DropPolicy = 'error' | 'dropOldest' | 'dropNewest' | 'latest';

/** Counts of one opening. At any time received = delivered + dropped + waiting. */
export interface DropStats {
  readonly policy: DropPolicy;
  readonly received: number;
  readonly delivered: number;
  /** By the policy, and those that waited when the sink cancelled. */
  readonly dropped: number;
  readonly waiting: number;
  readonly peakWaiting: number;
}

/** What happens to items that come without credit. */
export interface HotOptions<T> {
  readonly policy: DropPolicy;
  /** Items that may wait for credit, an integer ≥ 0; Infinity is as many as memory holds. 1 with `'latest'`, else there is no default. */
  readonly size?: number;
  /** Bytes that may wait, by `sizeOf`; no bound by default. */
  readonly bytes?: number;
  /** Bytes of an item. By default those of the tensors, typed arrays, numbers and strings that it holds. */
  readonly sizeOf?: (item: T) => number;
  /** Hears of each item that the policy drops. */
  readonly onDrop?: (item: T, stats: DropStats) => void;
  /** Called at each opening, with a function that reads its counts. */
  readonly stats?: (read: () => DropStats) => void;
  /** Hears of a teardown that failed when the sink had cancelled; the console does otherwise. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
}

const POLICIES: readonly DropPolicy[] = ['error', 'dropOldest', 'dropNewest', 'latest'];

/**
 * A flow of an Observable. RxJS cannot ask a source to wait, so what happens to items without credit must be said: nothing is buffered
 * that was not named. Waiting items come before the source's end or error; E_QUEUE_FULL does not wait.
 *
 * ```ts
 * const hot = new Subject<number>();
 * let read!: () => DropStats;
 * const flow = fromObservable(hot, { policy: 'dropOldest', size: 2, stats: (reader) => void (read = reader) });
 * const items = acknowledged(flow, { credits: 1 }).subscribe(); // takes one, and never gives its credit back
 * [1, 2, 3, 4].forEach((item) => hot.next(item));
 * read(); // => { policy: 'dropOldest', received: 4, delivered: 1, dropped: 1, waiting: 2, peakWaiting: 2 }
 * ```
 *
 * @throws EinstreamError E_DEMAND when no policy is named, E_ARGUMENT for a policy or size that there is not; at the call
 */
export function fromObservable<T>(source$: Observable<T>, options: HotOptions<T>): Flow<T> {
  checkPolicy('fromObservable', options);
  const tell = teller(options.onDiagnostic);
  return { open: (sink) => outlet<T>(sink, tell, (out) => hot(source$, options, out)) };
}

function hot<T>(source$: Observable<T>, options: HotOptions<T>, out: Outlet<T>): Producer {
  const waiting: WaitingRoom<T> = waitingRoom(options);
  let end: (() => void) | undefined;
  const fail = (error: unknown): void => {
    waiting.clear();
    end = () => out.error(error);
    below.unsubscribe();
  };
  const below = listener<T>({
    next(item) {
      try {
        waiting.receive(item, out.credits());
      } catch (error) {
        fail(error);
      }
      out.pump();
    },
    error(error: unknown) {
      end = () => out.error(error);
      out.pump();
    },
    complete() {
      end = () => out.complete();
      out.pump();
    },
  });
  return {
    start: () => void source$.subscribe(below),
    step() {
      if (waiting.isEmpty()) {
        end?.();
        return false;
      }
      if (out.credits() === 0) return false;
      out.next(waiting.deliver());
      return true;
    },
    stop() {
      waiting.clear();
      below.unsubscribe();
    },
  };
}

/** @throws EinstreamError E_DEMAND when no policy is named, E_ARGUMENT for what else is wrong */
export function checkPolicy<T>(place: string, options: Partial<HotOptions<T>> | undefined): asserts options is HotOptions<T> {
  if (options?.policy === undefined) throw unnamed(place);
  if (!POLICIES.includes(options.policy))
    throw fault('E_ARGUMENT', {
      place,
      rule: 'there is no such policy',
      expected: POLICIES.map((policy) => `'${policy}'`).join(' or '),
      actual: describeValue(options.policy),
    });
  if (options.size !== Infinity && !(options.policy === 'latest' && options.size === undefined))
    readCount(place, 'size', options.size, 0);
  if (options.policy === 'latest' && options.size !== undefined && options.size !== 1)
    throw fault('E_ARGUMENT', {
      place,
      rule: "'latest' keeps one item",
      actual: `size ${options.size}`,
      hint: "'dropOldest' keeps the newest `size`",
    });
  checkBytes(place, options);
  if (options.onDrop !== undefined && typeof options.onDrop !== 'function')
    throw fault('E_ARGUMENT', { place, rule: 'onDrop must be a function', actual: describeValue(options.onDrop) });
}

const unnamed = (place: string): EinstreamError =>
  fault('E_DEMAND', {
    place,
    rule: 'an Observable cannot wait: what happens to items without credit must be named',
    expected: POLICIES.map((policy) => `{ policy: '${policy}' }`).join(', '),
    hint: 'a source that can be pulled needs no policy: pulled(iterable)',
  });
