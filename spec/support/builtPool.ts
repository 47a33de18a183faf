/**
 * @file Scripts of workers, each as one file made from the sources: a worker that went through a compiler would take a second to start.
 */
import { buildSync, type BuildOptions } from 'esbuild';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from './sourceFiles.js';

/** `entry` and all that it imports. */
export function bundled(entry: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(projectRoot, entry)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // As bundlers for pages do, where there is no process.
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'silent',
  });
  return outputFiles[0].text;
}

let text: string | undefined;
/** The package's own worker, as the build makes it. */
export function poolWorkerText(): string {
  const options = JSON.parse(readFileSync(join(projectRoot, '.worker.json'), 'utf8')) as BuildOptions;
  const entryPoints = [join(projectRoot, 'src/stream/pool/pool-worker.ts')];
  return (text ??= buildSync({ ...options, absWorkingDir: projectRoot, entryPoints, write: false, logLevel: 'silent' })
    .outputFiles[0].text);
}

let isBuilt = false;

/** Brings the worker that sources run, in `dist`, up to date with them. */
export function buildPoolWorker(): void {
  if (isBuilt) return;
  isBuilt = true;
  putInto('dist/cjs/stream/pool/pool-worker.js', poolWorkerText());
  putInto('dist/cjs/package.json', '{ "type": "commonjs" }\n');
}

/** In one step: other processes may read it meanwhile. */
function putInto(name: string, made: string): void {
  const path = join(projectRoot, name);
  if (existsSync(path) && readFileSync(path, 'utf8') === made) return;
  mkdirSync(dirname(path), { recursive: true });
  const written = `${path}.${process.pid}`;
  writeFileSync(written, made);
  renameSync(written, path);
}

/** A worker of the specs' own, in a folder of its own; `remove` takes it away. */
export function buildScript(entry: string): { readonly url: URL; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'einstream-worker-'));
  const path = join(folder, 'worker.mjs');
  writeFileSync(path, bundled(entry));
  // Whoever starts it may be somebody else.
  chmodSync(folder, 0o755);
  return { url: pathToFileURL(path), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
