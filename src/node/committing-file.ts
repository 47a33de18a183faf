/**
 * @file `committingFile`: outputs of a job in a file, each once.
 */
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describeValue, fault } from '../errors/index.js';
import type { CommittingSink } from '../stream/checkpoint/sink.js';
import { requirePath } from './directory-store.js';
import { nodeFiles, telling } from './files.js';

const { O_WRONLY, O_CREAT } = constants;

/** Bytes that wait before they are written, if no commit comes before. */
const BATCH = 1 << 20;

/**
 * A sink that appends to a file. Commits sync it, and note its length; a job that goes on cuts it there, so that what a killed run wrote
 * after its last checkpoint is not there twice. A job that begins anew empties the file.
 *
 * Texts are written as UTF-8. Nothing is put between outputs: `map((value) => JSON.stringify(value) + '\n')` makes lines.
 *
 * ```ts
 * import { mkdtemp, readFile } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 *
 * const folder = await mkdtemp(join(tmpdir(), 'example-'));
 * const done$ = checkpointed({
 *   source: (position) => [1, 2, 3].slice(position),
 *   through: () => map((x: number) => `${x * x}\n`),
 *   sink: committingFile(join(folder, 'squares.txt')),
 *   store: directoryStore(join(folder, 'checkpoints')),
 *   every: 2,
 * });
 * (await lastValueFrom(done$)).outputs; // => 3
 * (await readFile(join(folder, 'squares.txt'), 'utf8')).split('\n'); // => ['1', '4', '9', '']
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for what is no path, at the call; on the job's stream E_CKPT_IO when the file cannot be written,
 *   E_CKPT_CORRUPT when it is shorter than what was committed, E_ARGUMENT for outputs that are neither texts nor bytes
 */
export function committingFile(path: string): CommittingSink<string | Uint8Array> {
  const place = requirePath(path, 'committingFile');
  let file: Promise<FileHandle> | undefined;
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  /** Where the file ends, with what waits. */
  let end = 0;
  /** Writing is one after the other; after a failure nothing more is written. */
  let last: Promise<void> = Promise.resolve();

  const later = (act: (file: FileHandle) => Promise<void>): Promise<void> => {
    const to = file!;
    last = last.then(() => telling('write the file', place, async () => act(await to)));
    // Whoever asked hears of a failure, and so does everyone after.
    last.catch(() => undefined);
    return last;
  };
  const flush = (): Promise<void> => {
    const batch = Buffer.concat(waiting);
    [waiting, bytes] = [[], 0];
    const at = end - batch.length;
    return later(async (to) => {
      for (let done = 0; done < batch.length;) done += (await to.write(batch, done, batch.length - done, at + done)).bytesWritten;
    });
  };

  return {
    open: (mark) =>
      telling('open the file', place, async () => {
        [waiting, bytes, end, last] = [[], 0, readMark(mark), Promise.resolve()];
        file = open(place, O_WRONLY | O_CREAT, 0o666);
        const opened = await file;
        const { size } = await opened.stat();
        if (size < end) throw tooShort(place, end, size);
        await opened.truncate(end);
        await nodeFiles.syncFolder(dirname(place));
      }),
    write(value) {
      const encoded = typeof value === 'string' ? Buffer.from(value) : value;
      if (!(encoded instanceof Uint8Array)) throw notBytes(place, value);
      waiting.push(encoded === value ? encoded.slice() : encoded);
      bytes += encoded.length;
      end += encoded.length;
      return bytes < BATCH ? undefined : flush();
    },
    commit() {
      const mark = end;
      void flush();
      return later((to) => to.sync()).then(() => mark);
    },
    // A failure to open or to write was told to whoever asked for it.
    close() {
      const [opened, written] = [file, last];
      file = undefined;
      return telling('close the file', place, async () => {
        await written.catch(() => undefined);
        await (await opened?.catch(() => undefined))?.close();
      });
    },
  };
}

function readMark(mark: unknown): number {
  if (mark === undefined) return 0;
  if (Number.isSafeInteger(mark) && (mark as number) >= 0) return mark as number;
  throw fault('E_ARGUMENT', {
    place: 'committingFile',
    rule: 'a file goes back to a length that it noted',
    actual: describeValue(mark),
    hint: 'go on with the sink that the job had',
  });
}

const tooShort = (place: string, committed: number, size: number) =>
  fault('E_CKPT_CORRUPT', {
    place,
    rule: 'a file must hold what was committed',
    expected: `at least ${committed} bytes`,
    actual: `${size}`,
    hint: 'bring the file back, or clear the store to begin anew',
  });

const notBytes = (place: string, value: unknown) =>
  fault('E_ARGUMENT', {
    place,
    rule: 'outputs for a file are texts or bytes',
    actual: describeValue(value),
    hint: "map them first: map((value) => JSON.stringify(value) + '\\n')",
  });
