/**
 * @file `directoryStore`: checkpoints as files of a folder.
 */
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { describeValue, fault } from '../errors/index.js';
import type { CheckpointStore } from '../stream/checkpoint/store.js';
import { codeOf, nodeFiles, type Files } from './files.js';

const EXTENSION = '.ckpt';
/** A number, so that they sort by age, and 64 random bits, so that no two writers give the same. */
const ID = /^(\d{12})-[0-9a-f]{16}$/;
/** Says who writes it: number and start of the process. */
const TEMPORARY = /^\.\d{12}-[0-9a-f]{16}\.(\d+)-(\d+)\.tmp$/;
const BIRTH = Math.round(Date.now() / 1000 - process.uptime());

/**
 * Checkpoints as files of a folder, which is made when the first is written.
 *
 * A file is written beside its place under another name, synced, renamed, and its folder synced: a process or a machine that stops at
 * any moment leaves all earlier checkpoints, and of the new one all or nothing. Several processes may write into one folder: each
 * file is of one writer alone. What a writer that was killed left half-written is removed by the next on the same machine.
 * A damaged name cannot lead out of the folder, and links in it are not followed.
 *
 * ```ts
 * import { mkdtemp } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 *
 * const saved = checkpoints(directoryStore(join(await mkdtemp(join(tmpdir(), 'example-')), 'checkpoints')));
 * const id = await saved.save({ position: 7 });
 * (await saved.restore(id)).position // => 7
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for what is no path, at the call; E_CKPT_IO, E_NAME for a name that is none of its ids, from its calls
 */
export const directoryStore = (path: string): CheckpointStore => storeOver(nodeFiles, requirePath(path, 'directoryStore'));

/** @throws EinstreamError E_ARGUMENT */
export function requirePath(path: unknown, place: string): string {
  if (typeof path === 'string' && path !== '' && !path.includes('\0')) return resolve(path);
  throw fault('E_ARGUMENT', { place, rule: 'a path is a text that is not empty and has no NUL', actual: describeValue(path) });
}

/** The same over any file system. */
export function storeOver(files: Files, folder: string): CheckpointStore {
  /** The highest number given by this store, in case its file was removed. */
  let last = 0;
  const pathOf = (id: string) => join(folder, requireId(id) + EXTENSION);
  const ids = (names: readonly string[]) =>
    names
      .filter((name) => name.endsWith(EXTENSION) && ID.test(name.slice(0, -EXTENSION.length)))
      .map((name) => name.slice(0, -EXTENSION.length))
      .sort();
  const tidy = async (names: readonly string[]) => {
    for (const name of names) {
      const [, pid, birth] = TEMPORARY.exec(name) ?? [];
      if (pid !== undefined && !isAlive(Number(pid), Number(birth))) await files.remove(join(folder, name));
    }
  };
  return {
    list: async () => ids(await files.list(folder)),
    read: (id, most) => files.read(pathOf(id), most),
    remove: (id) => files.remove(pathOf(id)),
    async write(bytes) {
      await files.makeFolder(folder);
      const names = await files.list(folder);
      last = Math.max(last, ...ids(names).slice(-1).map(numberOf)) + 1;
      const id = `${String(last).padStart(12, '0')}-${randomBytes(8).toString('hex')}`;
      const temporary = `.${id}.${process.pid}-${BIRTH}.tmp`;
      try {
        await tidy(names);
        await files.writeNew(join(folder, temporary), bytes);
        await files.rename(join(folder, temporary), pathOf(id));
        await files.syncFolder(folder);
        return id;
      } catch (error) {
        // What a sync did not confirm must not be taken for a checkpoint later. That this fails as well says nothing new.
        for (const path of [join(folder, temporary), pathOf(id)]) await files.remove(path).catch(() => undefined);
        throw error;
      }
    },
  };
}

const numberOf = (id: string): number => Number(ID.exec(id)![1]);

/** The process is there, as far as can be told. Our own number may have been that of a process before us: two seconds are for rounding. */
function isAlive(pid: number, birth: number): boolean {
  if (pid === process.pid) return birth >= BIRTH - 2;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function requireId(id: unknown): string {
  if (typeof id === 'string' && ID.test(id)) return id;
  throw fault('E_NAME', {
    place: 'directoryStore',
    rule: 'a checkpoint is named by the id that it was given',
    actual: describeValue(id),
    hint: 'list() names those that are kept',
  });
}
