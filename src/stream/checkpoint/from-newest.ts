/**
 * @file Where a job goes on: at its newest checkpoint that can be read, or at the beginning.
 */
import { concatMap, defer, map, type Observable } from 'rxjs';
import { BEGINNING, standingOf, type JobProgress, type Standing } from './job.js';

import type { CheckpointStore } from './store.js';
import { vault, type CheckpointOptions, type Vault } from './vault.js';

/** @throws EinstreamError E_ARGUMENT at the call, for a store that is none */
export function fromNewest(
  settings: CheckpointOptions & { readonly store: CheckpointStore },
  run: (kept: Vault, standing: Standing) => Observable<JobProgress>,
): Observable<JobProgress> {
  const make = (): Vault => vault(settings.store, settings);
  make(); // what is wrong with the store is said at the call
  return defer(() => {
    const kept = make();
    return kept.latest().pipe(
      map((saved) => (saved === undefined ? BEGINNING : standingOf(saved.checkpoint))),
      concatMap((standing) => run(kept, standing)),
    );
  });
}
