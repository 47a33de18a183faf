/**
 * @file Middleware that minds each node of one feed: tries it again, reuses what a checkpoint holds, and does what the strategy
 * says when attempts are used up.
 */
import { catchError, concatMap, defer, of, tap, throwError, type MonoTypeOperatorFunction, type SchedulerLike } from 'rxjs';
import { isTransient } from '../errors/index.js';
import { nameOf, type OpNode } from '../graph/index.js';
import { assign, valueOf, type Frame, type Middleware } from '../run/index.js';
import { zeros } from '../tensor/index.js';
import type { Settled } from './config.js';
import type { History } from './history.js';
import { retried } from './retried.js';
import type { RetryPolicy } from './retry-policy.js';
import { substitute, typeIn, type Cache } from './substitute.js';

const ONCE: RetryPolicy = { count: 0, delay: () => 0 };

/** A frame passes nodes that have no value, too: what stands in their slots nobody reads, and no output has it. */
const placeholder = (frame: Frame, node: OpNode): Frame => {
  const { dtype, shape } = typeIn(frame, node);
  return assign(frame, node.id, zeros([...shape], { dtype }));
};

const mayBe = (strategy: Settled['strategy'], node: OpNode): boolean =>
  typeof strategy === 'object' &&
  'degrade' in strategy &&
  (strategy.nodes === undefined || strategy.nodes.includes(nameOf(node)) || strategy.nodes.includes(node.op));

/** What takes the place of a node whose attempts are used up. */
function rescue(
  { strategy }: Settled,
  { frame, node, past, cache }: { readonly frame: Frame; readonly node: OpNode; readonly past: History; readonly cache: Cache },
): MonoTypeOperatorFunction<Frame> {
  return catchError((error: unknown) => {
    if (past.tooMany()) return throwError(() => error);
    if (strategy === 'partialResults') {
      past.lose(frame, node, 'failed');
      return of(placeholder(frame, node));
    }
    if (typeof strategy !== 'object' || !('degrade' in strategy) || !mayBe(strategy, node)) return throwError(() => error);
    assign(frame, node.id, substitute(frame, node, strategy.degrade, cache));
    past.replace(node);
    return of(frame);
  });
}

export const minding =
  (config: Settled, past: History, cache: Cache, scheduler: SchedulerLike): Middleware =>
  (step, node) => {
    const { strategy, retryPolicy, checkpointing } = config;
    const policy = strategy === 'failFast' || strategy === 'checkpoint' ? ONCE : retryPolicy;
    const isCached = typeof strategy === 'object' && 'degrade' in strategy && strategy.degrade === 'useCached';
    const done = (frame: Frame): void => {
      if (past.lost.has(node.id) || (!checkpointing && !isCached)) return;
      const value = valueOf(frame, node.id);
      if (checkpointing) past.finished(node.id, value);
      if (isCached) cache.set(node.id, value);
    };
    return concatMap((frame) => {
      if (node.inputs.some((id) => past.lost.has(id))) {
        past.lose(frame, node, 'skipped');
        return of(placeholder(frame, node));
      }
      const kept = past.saved.get(node.id);
      if (kept !== undefined) return of(assign(frame, node.id, kept));
      const once$ = defer(() => of(frame).pipe(step));
      const failed = (error: unknown, attempt: number): boolean => {
        const isOver = past.failed(error, attempt, node) || !isTransient(error);
        if (!isOver && attempt <= policy.count) past.retried();
        return isOver;
      };
      return retried(once$, policy, { scheduler, failed }).pipe(rescue(config, { frame, node, past, cache }), tap(done));
    });
  };
