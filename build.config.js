/**
 * Builds `dist`: ES modules and types by tsc, a CommonJS copy by esbuild.
 *
 * The copy is file by file, not one bundle for each entry: `einstream` and `einstream/testing` then share one registry of ops
 * and one error class under `require` too. Its folder says `"type": "commonjs"`, for the code and for the types beside it.
 */
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const filesBelow = (folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' });

process.chdir(import.meta.dirname);
rmSync('dist', { recursive: true, force: true });
try {
  execFileSync(process.execPath, ['node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
} catch {
  console.error('build: the types do not check, so dist was not built');
  process.exit(1);
}

// The command line is a program, not a library: nobody requires it.
const isLibrary = (name) => name.endsWith('.ts') && !/^cli\b/.test(name);
const sources = filesBelow('src')
  .filter(isLibrary)
  .map((name) => join('src', name));
const asCommonJs = (entryPoints, more = {}) =>
  build({
    entryPoints,
    outdir: 'dist/cjs',
    outbase: 'src',
    format: 'cjs',
    // Of Node's only that it says which names there are, so that `import(…)` finds them in a copy that was required.
    platform: 'node',
    target: 'node20',
    // What is loaded later is required then: an `import()` would go around whoever intercepts `require`.
    supported: { 'dynamic-import': false },
    logLevel: 'warning',
    ...more,
  });
// A module that asks where it lies: no `require`, as bundlers for pages would look for Node's modules.
const asksWhere = (path) => readFileSync(path, 'utf8').includes('import.meta.url');
await asCommonJs(sources.filter((path) => !asksWhere(path)));
await asCommonJs(sources.filter(asksWhere), {
  define: { 'import.meta.url': 'moduleUrl' },
  banner: { js: "const moduleUrl = globalThis.process?.getBuiltinModule?.('node:url').pathToFileURL(__filename).href;" },
});
for (const name of filesBelow('dist').filter((name) => name.endsWith('.d.ts') && !/^(cli|cjs)\b/.test(name))) {
  mkdirSync(dirname(join('dist/cjs', name)), { recursive: true });
  copyFileSync(join('dist', name), join('dist/cjs', name));
}
// A worker is one file, for import, require and pages alike: to load hundreds takes four times as long. It never starts threads.
const ofWorker = JSON.parse(readFileSync('.worker.json', 'utf8'));
for (const outdir of ['dist/stream/pool', 'dist/cjs/stream/pool'])
  await build({ ...ofWorker, entryPoints: ['src/stream/pool/pool-worker.ts'], outdir, logLevel: 'warning' });
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
if (existsSync('dist/cli.js')) chmodSync('dist/cli.js', 0o755);
