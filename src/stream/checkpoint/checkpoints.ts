/**
 * @file `checkpoints`: saving and finding again.
 */
import { firstValueFrom } from 'rxjs';
import type { Checkpoint } from './checkpoint.js';
import type { SavedCheckpoint } from './newest.js';
import type { CheckpointStore } from './store.js';
import { vault, type CheckpointOptions } from './vault.js';

/** Checkpoints in a store. Ids are stable: that of one never changes, nor is it given to another. */
export interface Checkpoints {
  /** Keeps it, then lets go of the oldest beyond `keep`; gives its id. Rejects with E_CKPT_IO when it could not be written: all others are as they were. */
  save(checkpoint: Checkpoint): Promise<string>;
  /** That of an id. Rejects with E_NAME where there is none, E_CKPT_CORRUPT when it is damaged, E_CKPT_VERSION, E_CKPT_IO. */
  restore(id: string): Promise<Checkpoint>;
  /**
   * The newest that is whole, or undefined where there is none at all. A damaged one is left out with a warning; E_CKPT_CORRUPT when all
   * are. A newer version is E_CKPT_VERSION, not damage: an old program does not roll a newer one back.
   */
  latest(): Promise<SavedCheckpoint | undefined>;
  /** Ids, the oldest first. */
  list(): Promise<readonly string[]>;
  /** Removes all. */
  clear(): Promise<void>;
}

/**
 * Checkpoints in a store, of which the newest `keep` are kept.
 *
 * ```ts
 * const saved = checkpoints(memoryStore(), { keep: 2 });
 * for (const position of [10, 20, 30]) await saved.save({ position, params: { w: tensor([position]) } });
 * await saved.list(); // => ['2', '3']
 * (await saved.restore('2')).position; // => 20
 * ((await saved.latest())?.checkpoint.params as { w: Tensor }).w.toArray(); // => [30]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for what is no store, and wrong options, at the call
 */
export function checkpoints(store: CheckpointStore, options: CheckpointOptions = {}): Checkpoints {
  const { save, restore, latest, list, clear } = vault(store, options);
  return {
    save: (checkpoint) => firstValueFrom(save(checkpoint)),
    restore: (id) => firstValueFrom(restore(id)),
    latest: () => firstValueFrom(latest()),
    list: () => firstValueFrom(list()),
    clear: () => firstValueFrom(clear()),
  };
}
