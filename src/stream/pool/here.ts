/**
 * @file This thread as an executor. It computes at once, so a signal can only keep what has not begun.
 */
import { evaluate, type Outputs, type RunOptions } from '../../run/index.js';
import { cancellable } from '../../run/cancellable.js';
import { onAbort } from '../../run/signals.js';
import type { GraphExecutor } from './balance.js';

export const hereWith = (options: RunOptions): Pick<GraphExecutor, 'evaluate'> => ({
  evaluate: (graph, feeds, { signal } = {}) =>
    cancellable((done, fail) => {
      let isStopped = false;
      const forget = signal === undefined ? undefined : onAbort(signal, () => (isStopped = true));
      // A turn of the event loop between two feeds.
      setTimeout(() => {
        forget?.();
        // What is wrong with the call is thrown at once, and nobody catches what a timer throws.
        if (!isStopped) new Promise<Outputs>((give) => give(evaluate(graph, feeds, options))).then(done, fail);
      });
      return fail;
    }, signal),
});
