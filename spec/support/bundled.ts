/**
 * @file A program of the specs in one script: a child process starts at once, and under flags that a compiler would not bear.
 */
import { buildSync } from 'esbuild';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runToSuccess } from './runProcess.js';
import { projectRoot } from './sourceFiles.js';

/** The one module of most programs that reads a file beside itself. */
const ASKING = 'spec/oracle/corpus.ts';

/**
 * Runs `entry` (a path from the project's root) in a process of its own, with Node's `flags`; gives what it printed. All modules
 * lie where `asking` does, if they ask.
 */
export function runBundled(
  entry: string,
  flags: readonly string[] = [],
  asking = ASKING,
  { args = [], timeout = 120_000 }: { readonly args?: readonly string[]; readonly timeout?: number } = {},
): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(projectRoot, entry)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(projectRoot, asking)).href) },
    logLevel: 'silent',
  });
  const input = outputFiles[0].text;
  return runToSuccess(process.execPath, [...flags, '--input-type=module', '-', ...args], { input, timeout });
}

/** The same as a file, for programs that are started more than once. */
export function bundleTo(file: string, entry: string): void {
  buildSync({
    entryPoints: [join(projectRoot, entry)],
    outfile: file,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // What looks for a worker beside itself does so where it lies.
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(projectRoot, ASKING)).href) },
    logLevel: 'silent',
  });
}
