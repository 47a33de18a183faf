/**
 * @file Spec files, and all that they import, as one script for a page.
 */
import { build, type Plugin } from 'esbuild';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { propertySeed } from '../support/property.js';
import { projectRoot } from '../support/sourceFiles.js';

export interface Bundle {
  readonly script: string;
  /** The source map, as text. */
  readonly map: string;
}

/** What stands for `node:fs`: the corpus, read when the script was made. */
function corpusAsFiles(): string {
  const folder = join(projectRoot, 'spec/oracle/cases');
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const texts = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  return `
    const texts = new Map(Object.entries(${JSON.stringify(texts)}));
    export function readFileSync(url) {
      const text = texts.get(url.pathname.split('/').at(-1));
      if (text === undefined) throw new Error('a page has no file ' + url);
      return text;
    }`;
}

const NO_FLAGS = "export const setFlagsFromString = (flag) => { throw new Error('a page has no flag ' + flag); };";

/** What a page has instead: the corpus's files, the runner that its script tag loaded, and no flags, as it needs none. */
const standIns: Plugin = {
  name: 'stand-ins',
  setup(build) {
    build.onResolve({ filter: /^(node:fs|node:v8|mocha)$/ }, ({ path }) => ({ path, namespace: 'page' }));
    build.onLoad({ filter: /^node:fs$/, namespace: 'page' }, () => ({ contents: corpusAsFiles() }));
    build.onLoad({ filter: /^node:v8$/, namespace: 'page' }, () => ({ contents: NO_FLAGS }));
    build.onLoad({ filter: /^mocha$/, namespace: 'page' }, () => ({ contents: 'module.exports = globalThis' }));
  },
};

/**
 * Bundles `entries` (paths from the project's root) to run in that order.
 *
 * @throws esbuild's own error, which names the file and the line, where an entry needs what only Node has
 */
export async function bundle(entries: readonly string[]): Promise<Bundle> {
  const { outputFiles } = await build({
    stdin: { contents: entries.map((path) => `import './${path}';`).join('\n'), resolveDir: projectRoot },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    outfile: 'specs.js',
    sourcemap: 'external',
    define: {
      // Whatever the size of the run: more inputs are Node's to draw, as here the engine is what differs.
      'process.env': JSON.stringify({ EINSTREAM_SEED: String(propertySeed()) }),
    },
    plugins: [standIns],
    logLevel: 'silent',
  });
  const text = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))!.text;
  return { script: text('specs.js'), map: text('specs.js.map') };
}
