/**
 * @file The newest checkpoint that is whole, and what is said of those that are not.
 */
import { catchError, concatMap, of, throwError, type Observable } from 'rxjs';
import { EinstreamError, fault, type Diagnostic } from '../../errors/index.js';
import type { Checkpoint } from './checkpoint.js';

/** A checkpoint and its id. */
export interface SavedCheckpoint {
  readonly id: string;
  readonly checkpoint: Checkpoint;
}

interface Search {
  readonly saved?: SavedCheckpoint;
  /** Those that were damaged, the newest first. */
  readonly damaged: readonly { readonly id: string; readonly error: EinstreamError }[];
  /** One that was listed was no longer there. */
  readonly isOutdated: boolean;
}

type Read = (id: string) => Observable<Checkpoint | undefined>;

/** Looks from the end of `ids` for one that can be read. Errors other than E_CKPT_CORRUPT end the search. */
function search(ids: readonly string[], read: Read, before: Search = { damaged: [], isOutdated: false }): Observable<Search> {
  const id = ids.at(-1);
  if (id === undefined) return of(before);
  const older = (found: Search) => search(ids.slice(0, -1), read, found);
  return read(id).pipe(
    catchError((error: unknown) =>
      error instanceof EinstreamError && error.code === 'E_CKPT_CORRUPT' ? of(error) : throwError(() => error),
    ),
    concatMap((found) => {
      if (found instanceof EinstreamError) return older({ ...before, damaged: [...before.damaged, { id, error: found }] });
      return found === undefined ? older({ ...before, isOutdated: true }) : of({ ...before, saved: { id, checkpoint: found } });
    }),
  );
}

/** So often a list may be outdated: who removes that fast? */
const PATIENCE = 16;

/**
 * @param told hears of damage, before the value or the error
 * @throws EinstreamError E_CKPT_CORRUPT when there are some and all are damaged
 */
export function newest(
  list: () => Observable<readonly string[]>,
  read: Read,
  told: (id: string, warning: Diagnostic) => void,
  attempt = 1,
): Observable<SavedCheckpoint | undefined> {
  return list().pipe(
    concatMap((ids) => search(ids, read)),
    concatMap(({ saved, damaged, isOutdated }) => {
      // Another writer removed what was listed, though only after it had written a newer one: look again.
      if (saved === undefined && isOutdated)
        return attempt < PATIENCE ? newest(list, read, told, attempt + 1) : throwError(unreadable);
      for (const { id, error } of damaged) told(id, warning(id, error, saved));
      return saved === undefined && damaged.length > 0 ? throwError(() => allDamaged(damaged)) : of(saved);
    }),
  );
}

const warning = (id: string, { diagnostic }: EinstreamError, saved?: SavedCheckpoint): Diagnostic => ({
  ...diagnostic,
  severity: 'warning',
  context: [
    ...diagnostic.context,
    `checkpoint ${id} was left out; ${saved === undefined ? 'none is whole' : `${saved.id} is used`}`,
  ],
});

const allDamaged = (damaged: Search['damaged']) =>
  fault('E_CKPT_CORRUPT', {
    place: 'checkpoints',
    rule: 'one checkpoint must be whole to go on from',
    actual: `${damaged.length} of ${damaged.length} damaged`,
    related: damaged.map(({ error }) => error.diagnostic),
    hint: 'begin anew: clear() the checkpoints',
  });

const unreadable = () =>
  fault('E_CKPT_IO', {
    place: 'checkpoints',
    rule: 'what a store lists it must hold',
    actual: 'ids without bytes',
    hint: 'give each program a store of its own',
  });
