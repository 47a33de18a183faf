/**
 * @file A run followed by an execution context: the engine itself notifies, at the two ends of the pipe and around steps.
 */
import { Observable, tap } from 'rxjs';
import type { EinstreamError } from '../errors/index.js';
import { beginRun, type ExecutionContext } from './context.js';
import type { Lifecycle } from './lifecycle.js';
import { link } from './link.js';
import type { Middleware } from './step.js';

/** The stream that `make` gives, with its life told to the context. `make` calls `started` for each feed. */
export const following =
  (context: ExecutionContext, nodes: number, tell: (failure: EinstreamError) => void) =>
  <T>(make: (run: Lifecycle) => Observable<T>): Observable<T> =>
    new Observable((subscriber) => {
      const run = beginRun(context, nodes);
      const failed = (error: unknown): void => subscriber.error(run.fail(error));
      let outputs$: Observable<T>;
      try {
        run.enter('GraphLoad');
        run.enter('Preparing');
        outputs$ = make(run);
      } catch (error) {
        return failed(error);
      }
      link(outputs$, subscriber, {
        next(outputs) {
          subscriber.next(outputs);
          if (subscriber.closed) return;
          try {
            run.finished();
          } catch (error) {
            failed(error);
          }
        },
        error: failed,
        complete() {
          try {
            run.complete();
          } catch (error) {
            return subscriber.error(error);
          }
          subscriber.complete();
        },
      });
      // Last, so that work has stopped when hooks hear of it; a run that has ended is not cancelled.
      subscriber.add(() => {
        const thrown = run.cancel();
        if (thrown !== undefined) tell(thrown);
      });
    });

/** The same for an answer at once. */
export function followedSync<T>(
  context: ExecutionContext | undefined,
  nodes: number,
  compute: (run: Lifecycle | undefined) => T,
): T {
  if (context === undefined) return compute(undefined);
  const run = beginRun(context, nodes);
  let answer: T;
  try {
    run.enter('GraphLoad');
    run.enter('Preparing');
    answer = compute(run);
    run.finished();
  } catch (error) {
    throw run.fail(error);
  }
  run.complete();
  return answer;
}

/** Outermost around each step: what a node's own middleware does belongs to the node. */
export const nodeEvents =
  (run: Lifecycle): Middleware =>
  (step, node) =>
  (frames$) =>
    frames$.pipe(
      tap(({ index }) => run.nodeStarted(node, index)),
      step,
      tap(({ index }) => run.nodeFinished(node, index)),
    );
