/** @file The command line for specs: called in this process on given bytes, or built and run as a process of its own. */
import { build } from 'esbuild';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { Io } from '../../src/cli/io.js';
import { main } from '../../src/cli/main.js';
import { projectRoot } from './sourceFiles.js';

export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What was written, as one text. */
export function collecting(): Writable & { text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return Object.assign(stream, { text: () => Buffer.concat(chunks).toString('utf8') });
}

/** Runs `einstream …args` here. The input comes in the given chunks. */
export async function einstream(
  args: readonly string[],
  input: string | Iterable<Uint8Array> | AsyncIterable<Uint8Array> = '',
  more: Pick<Io, 'signals$' | 'scheduler' | 'clock'> & { readonly isTTY?: boolean; readonly columns?: number } = {},
): Promise<Said> {
  const { isTTY, columns, ...world } = more;
  const stdin = Readable.from(typeof input === 'string' ? [Buffer.from(input)] : input, { objectMode: true });
  const [stdout, stderr] = [collecting(), collecting()];
  const code = await main(args, { stdin, stdout, stderr: Object.assign(stderr, { isTTY, columns }), ...world });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

export interface Built {
  /** A program for Node. */
  readonly path: string;
  remove(): void;
}

/** Bundles a program of this project, always from the sources as they are, into a folder where it finds its packages. */
export async function buildProgram(source: string): Promise<Built> {
  mkdirSync(join(projectRoot, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(projectRoot, '.cache/program-'));
  const path = join(folder, 'program.mjs');
  const entryPoints = [join(projectRoot, source)];
  await build({
    entryPoints,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile: path,
    logLevel: 'error',
  });
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
