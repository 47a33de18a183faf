/**
 * @file What a store asks of a file system, and Node's answer. Faults are E_CKPT_IO, with the system's own as cause.
 */
import { constants } from 'node:fs';
import { mkdir, open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EinstreamError, fault } from '../errors/index.js';
import { beyond } from '../stream/checkpoint/format/limits.js';

/** Each call is done when its promise is; what is not synced may still be lost when the machine stops. */
export interface Files {
  /** Makes a folder and those above it where they are not there, and makes their names safe. */
  makeFolder(path: string): Promise<void>;
  /** Names in a folder; none where there is no folder. */
  list(path: string): Promise<readonly string[]>;
  /** All of a file, or undefined where there is none; a link is not followed, and E_LIMIT is for more bytes than `most`. */
  read(path: string, most: number): Promise<Uint8Array | undefined>;
  /** Writes a new file and syncs it: its bytes are safe, its name is not yet. */
  writeNew(path: string, bytes: Uint8Array): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Names of a folder are safe after this. */
  syncFolder(path: string): Promise<void>;
  /** A file that is not there is no fault. */
  remove(path: string): Promise<void>;
}

// Windows lacks two of them. A pipe is opened at once, instead of when somebody writes to it.
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_WRONLY, O_CREAT, O_EXCL } = constants;

export const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Does it, and tells of failure in our words. */
export async function telling<T>(what: string, path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    if (cause instanceof EinstreamError) throw cause;
    throw fault('E_CKPT_IO', {
      place: path,
      rule: `the system must ${what}`,
      actual: String(codeOf(cause) ?? cause),
      hint: 'look at space, permissions and limits of the folder',
      cause,
    });
  }
}

/** Opens, acts, closes; that a file cannot be closed is a failure too. */
async function within<T>(path: string, flags: number, act: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags, 0o666);
  try {
    return await act(file);
  } finally {
    await file.close();
  }
}

const orNone =
  <T>(none: T) =>
  (error: unknown): T => {
    if (codeOf(error) === 'ENOENT') return none;
    throw error;
  };

const syncFolder = (path: string) => telling('sync the folder', path, () => within(path, O_RDONLY, (folder) => folder.sync()));

export const nodeFiles: Files = {
  makeFolder: (path) =>
    telling('make the folder', path, async () => {
      const first = await mkdir(path, { recursive: true });
      if (first === undefined) return;
      for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
    }),
  list: (path) => telling('list the folder', path, () => readdir(path).catch(orNone<string[]>([]))),
  read: (path, most) =>
    telling('read the file', path, () =>
      within(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, async (file) => {
        const stats = await file.stat();
        if (!stats.isFile()) throw new Error('no regular file');
        if (stats.size > most) throw beyond(path, 'a checkpoint', 'bytes', most, stats.size);
        return new Uint8Array(await file.readFile());
      }).catch(orNone(undefined)),
    ),
  writeNew: (path, bytes) =>
    telling('write the file', path, () =>
      within(path, O_WRONLY | O_CREAT | O_EXCL, async (file) => {
        await file.writeFile(bytes);
        await file.sync();
      }),
    ),
  rename: (from, to) => telling('rename the file', to, () => rename(from, to)),
  syncFolder,
  remove: (path) => telling('remove the file', path, () => rm(path, { force: true })),
};
