/**
 * @file Middleware that tries a failing node again, for the frame that failed.
 */
import { asyncScheduler, concatMap, defer, of, type SchedulerLike } from 'rxjs';
import type { Middleware } from '../run/index.js';
import { retried } from './retried.js';
import { checkPolicy, type RetryPolicy } from './retry-policy.js';

/** What `retrying` is told beside the policy. */
export interface RetryingOptions {
  /** All waits; `asyncScheduler` by default. */
  readonly scheduler?: SchedulerLike;
}

/**
 * Tries each node again that fails, after the waits of the policy: the node alone, not the nodes before it, and without
 * subscribing to the feeds again. Frames behind it wait. A wait of 0 ms is asynchronous, too. Failures that would come again
 * (`isTransient` says which) are not retried. The error that is left at last has the number of its attempt.
 *
 * ```ts
 * let left = 2;
 * const fragile: Middleware = (step, node) => (frames$) =>
 *   frames$.pipe(tap(() => { if (node.op === 'sum' && left-- > 0) throw new Error('once more'); }), step);
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: sum(x) }));
 * evaluate(g, { x: [1, 2] }, { use: [retrying(RetryPolicy.exponential(3, 1)), fragile] }).then(({ y }) => y.toArray()) // => 3
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for a policy that is none, at the call
 */
export function retrying(policy: RetryPolicy, { scheduler = asyncScheduler }: RetryingOptions = {}): Middleware {
  checkPolicy(policy);
  return (step) =>
    concatMap((frame) =>
      retried(
        defer(() => of(frame).pipe(step)),
        policy,
        { scheduler },
      ),
    );
}
