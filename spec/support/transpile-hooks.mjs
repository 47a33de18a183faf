// Node's module hooks for TypeScript whose types were checked elsewhere: esbuild takes them away, file by file.
import { transform } from 'esbuild';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The source of what an import names by its compiled file. */
function sourceOf(specifier, parent) {
  if (parent === undefined || !/^(\.|file:)/.test(specifier) || !specifier.endsWith('.js') || parent.includes('/node_modules/'))
    return;
  const url = new URL(specifier.replace(/\.js$/, '.ts'), parent);
  return existsSync(url) ? url.href : undefined;
}

export async function resolve(specifier, context, next) {
  const url = sourceOf(specifier, context.parentURL);
  return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true };
}

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !/\.ts(\?|$)/.test(url)) return next(url, context);
  const sourcefile = fileURLToPath(url);
  const { code } = await transform(await readFile(sourcefile, 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'es2022',
    sourcefile,
    sourcemap: 'inline',
    sourcesContent: false,
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, target: 'ES2022' } },
  });
  return { format: 'module', source: code, shortCircuit: true };
}
