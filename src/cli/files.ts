/**
 * @file Files as a command line names them: `-` is the standard input. What cannot be opened is E_ARGUMENT with the reason.
 */
import { createWriteStream, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fault, type EinstreamError } from '../errors/index.js';

/** How `-` is called in messages. */
export const nameOfFile = (file: string): string => (file === '-' ? 'stdin' : file);

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file'],
  ['ENOTDIR', 'a path through a file'],
  ['EISDIR', 'a directory'],
  ['EACCES', 'no permission'],
  ['EPERM', 'no permission'],
  ['ELOOP', 'links that go round'],
  ['ENAMETOOLONG', 'a name that is too long'],
  ['EMFILE', 'too many open files'],
  ['ENOSPC', 'a full disk'],
  ['EROFS', 'a disk that is read-only'],
]);

/** A failure of the file system as a typed error; made, not thrown. */
export function fileFault(file: string, rule: string, cause: unknown): EinstreamError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  const reason = cause instanceof Error ? ((code === undefined ? undefined : REASONS.get(code)) ?? cause.message) : String(cause);
  return fault('E_ARGUMENT', {
    place: nameOfFile(file),
    rule,
    actual: code === undefined ? reason : `${reason} (${code})`,
    cause,
  });
}

/** @throws EinstreamError E_ARGUMENT for a file that is not there, is a directory, or may not be read */
export async function openInput(file: string, stdin: Readable): Promise<Readable> {
  if (file === '-') return stdin;
  try {
    const handle = await open(file, 'r');
    if ((await handle.stat()).isDirectory()) {
      await handle.close();
      throw Object.assign(new Error('is a directory'), { code: 'EISDIR' });
    }
    return handle.createReadStream();
  } catch (cause) {
    throw fileFault(file, 'the file must be readable', cause);
  }
}

/** @throws EinstreamError E_ARGUMENT when a file to write is one of those that are read, or written for something else */
export async function refuseSame(option: string, file: string, others: readonly string[]): Promise<void> {
  const target = await statOf(file);
  for (const other of others) {
    const source = other === '-' || target === undefined ? undefined : await statOf(other);
    const isSame = source === undefined ? resolve(other) === resolve(file) && other !== '-' : source.ino === target!.ino && source.dev === target!.dev; // prettier-ignore
    if (!isSame) continue;
    throw fault('E_ARGUMENT', {
      place: file,
      rule: `${option} must not be a file that is read, or written already`,
      actual: 'the same file',
      hint: 'write another file and rename it',
    });
  }
}

/** A file to write, emptied. @throws EinstreamError E_ARGUMENT for a file that cannot be written */
export async function openOutput(file: string): Promise<Writable> {
  const stream = createWriteStream(file);
  try {
    await once(stream, 'open');
    // Each write's own callback says what went wrong; the event would end the process.
    stream.on('error', () => undefined);
    return stream;
  } catch (cause) {
    throw fileFault(file, 'the file must be writable', cause);
  }
}

/** Bytes of a file; undefined for the standard input, and for what has no end that is known. */
export async function sizeOf(file: string): Promise<number | undefined> {
  const found = file === '-' ? undefined : await statOf(file);
  return found?.isFile() === true ? found.size : undefined;
}

const statOf = (file: string): Promise<Stats | undefined> => stat(file).catch(() => undefined);

/** Everything a stream has, up to `limit` bytes. @throws EinstreamError E_LIMIT for more */
export async function readBytes(stream: Readable, limit: number, file: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > limit) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw fileFault(file, 'the file must be readable', cause);
  }
  if (size <= limit) return Buffer.concat(chunks);
  throw fault('E_LIMIT', {
    place: nameOfFile(file),
    rule: 'a graph file has a bounded size',
    expected: `at most ${limit} bytes`,
    actual: 'more',
  });
}
