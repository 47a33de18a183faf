/**
 * @file A store and its rules, as streams of one value: what is kept, and what is read when the newest is damaged.
 */
import { catchError, concat, concatMap, from, ignoreElements, map, of, throwError, type Observable } from 'rxjs';
import { describeValue, EinstreamError, fault, type Diagnostic } from '../../errors/index.js';
import { CHECKPOINT_LIMITS, type Checkpoint, type CheckpointLimits } from './checkpoint.js';
import { consumerError, eventually, type Eventually } from './eventually.js';
import { readLimits } from './format/limits.js';
import { newest, type SavedCheckpoint } from './newest.js';
import { parseCheckpoint } from './parse.js';
import { serializeCheckpoint } from './serialize.js';
import type { CheckpointStore } from './store.js';

/** How the checkpoints of a store are kept. */
export interface CheckpointOptions {
  /** So many are kept, the newest ones; an integer ≥ 1, by default 2. */
  readonly keep?: number;
  /** See `CHECKPOINT_LIMITS`. */
  readonly limits?: Partial<CheckpointLimits>;
  /** Hears of each damaged checkpoint that was left out: a warning with the code E_CKPT_CORRUPT. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
}

export interface Vault {
  save(checkpoint: Checkpoint): Observable<string>;
  restore(id: string): Observable<Checkpoint>;
  latest(): Observable<SavedCheckpoint | undefined>;
  list(): Observable<readonly string[]>;
  clear(): Observable<void>;
}

/** @throws EinstreamError E_ARGUMENT for what is no store, and wrong options */
export function vault(store: CheckpointStore, { keep = 2, limits = {}, onDiagnostic }: CheckpointOptions): Vault {
  requireStore(store);
  if (!Number.isSafeInteger(keep) || keep < 1)
    throw fault('E_ARGUMENT', {
      place: 'keep',
      rule: 'so many checkpoints are kept, an integer ≥ 1',
      actual: describeValue(keep),
    });
  const most = readLimits<keyof CheckpointLimits>({ ...CHECKPOINT_LIMITS }, limits, 'checkpoints');
  /** Ids that were found damaged: they do not count as kept. */
  const damaged = new Set<string>();
  const list = () => asking(() => store.list());
  const read = (id: string) =>
    asking(() => store.read(id, most.bytes)).pipe(map((bytes) => bytes && parseCheckpoint(bytes, most)));
  const removeAll = (ids: readonly string[]): Observable<never> =>
    from(ids).pipe(
      concatMap((id) => asking(() => store.remove(id))),
      ignoreElements(),
    );
  const evict = (ids: readonly string[]): Observable<never> => {
    const kept = new Set(ids.filter((id) => !damaged.has(id)).slice(-keep));
    return removeAll(ids.filter((id) => !kept.has(id)));
  };
  return {
    list,
    latest: () =>
      newest(list, read, (id, warning) => {
        damaged.add(id);
        try {
          onDiagnostic?.(warning);
        } catch (error) {
          throw consumerError('onDiagnostic', error);
        }
      }),
    save: (checkpoint) =>
      asking(() => store.write(serializeCheckpoint(checkpoint, most))).pipe(
        concatMap((id) => concat(list().pipe(concatMap(evict)), of(id))),
      ),
    restore: (id) => read(id).pipe(map((checkpoint) => checkpoint ?? missing(id))),
    clear: () => list().pipe(concatMap((ids) => concat(removeAll(ids), of(undefined)))),
  };
}

/** What a store of others throws is E_CKPT_IO; ours says so itself. */
const asking = <T>(call: () => Eventually<T>): Observable<T> =>
  eventually(call).pipe(
    catchError(
      (error: unknown) =>
      throwError(() => (error instanceof EinstreamError ? error : fault('E_CKPT_IO', { place: 'store', rule: 'a store must answer', actual: String(error), cause: error }))), // prettier-ignore
    ),
  );

function missing(id: string): never {
  throw fault('E_NAME', {
    place: 'restore',
    rule: 'a checkpoint is there under its id',
    actual: describeValue(id),
    hint: 'list() names those that are kept',
  });
}

function requireStore(store: unknown): void {
  const methods = ['list', 'read', 'write', 'remove'];
  const own = store as Readonly<Record<string, unknown>> | null | undefined;
  if (methods.every((method) => typeof own?.[method] === 'function')) return;
  throw fault('E_ARGUMENT', {
    place: 'store',
    rule: 'a store lists, reads, writes and removes checkpoints',
    actual: describeValue(store),
    hint: 'pass memoryStore(), or directoryStore(path) of einstream/node',
  });
}
