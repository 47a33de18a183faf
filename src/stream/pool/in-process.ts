/**
 * @file A hand that is this thread: for when there is no worker.
 */
import type { SchedulerLike } from 'rxjs';
import { evaluateSync } from '../../run/index.js';
import type { Hire } from './hand.js';

/** It answers later, in a task of its own, never in the tick in which it was asked. */
export const inProcess =
  (scheduler: SchedulerLike): Hire =>
  ({ ready, done, failed }) => {
    ready();
    let wanted = 0;
    return {
      run(run, { plan, feeds }) {
        wanted = run;
        scheduler.schedule(() => {
          if (wanted !== run) return failed(run, undefined);
          try {
            done(run, evaluateSync(plan.graph, Object.fromEntries(feeds)));
          } catch (error) {
            failed(run, error);
          }
        });
      },
      cancel: () => void (wanted = 0),
      hold: () => undefined,
      end: () => Promise.resolve(),
    };
  };
