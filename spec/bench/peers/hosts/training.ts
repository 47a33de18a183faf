/**
 * @file The engine in training: one subscription of `batches$.pipe(train(model))`, whose every step goes on from the one before.
 */
import { Subject } from 'rxjs';
import type { Backend, Feed, TrainStep } from '../../../../src/index.js';
import type { Engine, Started } from '../graphs.js';
import { CHECKED_STEPS, RATE } from '../trained.js';
import type { Job } from './host.js';

/** It answers at once. */
type SyncJob = Omit<Job, 'run' | 'free'> & { readonly run: () => void; readonly free: () => void };
type Batch = Readonly<Record<string, Feed>>;

export function training(
  { sgd, train }: Engine,
  backend: Backend,
  { graph }: Started,
  batch: Batch,
  outputs: 'borrow' | 'copy',
): SyncJob {
  const begin = (next: (step: TrainStep) => void) => {
    const batches$ = new Subject<Batch>();
    let count = 0;
    let failure: unknown;
    const subscription = batches$
      .pipe(train(graph, { loss: 'loss', optimizer: sgd({ rate: RATE }), backend, outputs }))
      .subscribe({
        next(step) {
          count++;
          next(step);
        },
        error: (error: unknown) => (failure = error),
      });
    return {
      step() {
        const before = count;
        batches$.next(batch);
        if (count !== before + 1) throw new Error('no step was taken', { cause: failure });
      },
      end: () => subscription.unsubscribe(),
    };
  };
  const endless = begin(() => undefined);
  return {
    run: endless.step,
    values() {
      let values: Float32Array = new Float32Array();
      const { step, end } = begin(({ params }) => (values = Float32Array.from(params['w2'].data as Float32Array)));
      for (let count = 0; count < CHECKED_STEPS; count++) step();
      end();
      return values;
    },
    free: endless.end,
  };
}
