/**
 * @file Checkpoints in memory: for tests, and for programs that only want to go back.
 */
import { CHECKPOINT } from './checkpoint.js';
import { beyond } from './format/limits.js';
import type { CheckpointStore } from './store.js';

/**
 * Keeps checkpoints as long as it lives itself. It answers at once; ids count from 1, and are never given twice.
 *
 * ```ts
 * const saved = checkpoints(memoryStore());
 * await saved.save({ position: 1 });
 * await saved.list() // => ['1']
 * ```
 */
export function memoryStore(): CheckpointStore {
  const kept = new Map<string, Uint8Array>();
  let last = 0;
  return {
    list: () => [...kept.keys()],
    write(bytes) {
      const id = String(++last);
      kept.set(id, bytes.slice());
      return id;
    },
    read(id, most) {
      const bytes = kept.get(id);
      if (bytes !== undefined && bytes.length > most) throw beyond('memoryStore', CHECKPOINT.name, 'bytes', most, bytes.length);
      return bytes?.slice();
    },
    remove: (id) => void kept.delete(id),
  };
}
