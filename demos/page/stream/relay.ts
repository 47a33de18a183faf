/**
 * @file Runs a stream on one backend after another: changing it loses no frame, and keeps their order.
 */
import { connect, finalize, map, mergeMap, share, takeUntil, zip, type Observable, type OperatorFunction } from 'rxjs';
import { run, type Backend, type Feeds, type Graph, type Outputs } from '../../../src/index.js';
import { inOrder } from './inOrder.js';

/** A backend that is ready, until it is closed. */
export interface Opened {
  readonly name: string;
  readonly backend: Backend;
  readonly close: () => void;
}

export interface Frame<F = Feeds> {
  /** Counts from 0. */
  readonly number: number;
  readonly feed: F;
}

export interface Answer<F, O> {
  readonly frame: F;
  readonly outputs: O;
  /** Who computed it. */
  readonly by: string;
  /** Milliseconds from the feed to the answer. */
  readonly latency: number;
}

type Names = Readonly<Record<string, unknown>>;

/**
 * One answer for each frame, in their order. Frames are asked for when the first backend is there. When another one comes, frames
 * go to it from then on; those under way end where they are, and then the backend before is closed.
 */
export const relay =
  <I extends Names, O extends Names, F extends Frame<Feeds<I>>>(
    graph: Graph<I, O>,
    backends$: Observable<Opened>,
    now: () => number = () => performance.now(),
  ): OperatorFunction<F, Answer<F, Outputs<O>>> =>
  (frames$) => {
    const shared$ = frames$.pipe(share());
    return backends$.pipe(
      connect((opened$) =>
        opened$.pipe(
          mergeMap((opened) => {
            // The new one subscribes before the old one is ended, so that the frames never stand still.
            const own$ = shared$.pipe(takeUntil(opened$));
            return own$.pipe(answered(graph, opened, now), finalize(opened.close));
          }),
        ),
      ),
      inOrder(({ frame }) => frame.number),
    );
  };

const answered =
  <I extends Names, O extends Names, F extends Frame<Feeds<I>>>(
    graph: Graph<I, O>,
    { name, backend }: Opened,
    now: () => number,
  ): OperatorFunction<F, Answer<F, Outputs<O>>> =>
  (frames$) =>
    frames$.pipe(
      map((frame) => ({ frame, begun: now() })),
      connect((begun$) =>
        zip(
          begun$,
          begun$.pipe(
            map(({ frame }) => frame.feed),
            run(graph, { backend }),
          ),
        ),
      ),
      map(([{ frame, begun }, outputs]) => ({ frame, outputs, by: name, latency: now() - begun })),
    );
