/**
 * @file The worker's file in `dist`, which sources run too: brought up to date with its source, as a compiler makes it.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { projectRoot } from './sourceFiles.js';

const NAME = 'backends/wasm/threads/wasm-worker';

/** What the build makes of the worker's source. */
export function workerText(): string {
  const source = readFileSync(join(projectRoot, `src/${NAME}.ts`), 'utf8');
  const { ES2022: target } = ts.ScriptTarget;
  return ts.transpileModule(source, { compilerOptions: { target, module: ts.ModuleKind.ES2022, verbatimModuleSyntax: true } })
    .outputText;
}

/** Writes it where it is missing or stale, in one step: other processes may start it meanwhile. */
export function buildWorker(): void {
  const path = join(projectRoot, `dist/${NAME}.js`);
  const text = workerText();
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  const written = `${path}.${process.pid}`;
  writeFileSync(written, text);
  renameSync(written, path);
}
