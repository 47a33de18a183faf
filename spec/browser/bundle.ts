/**
 * @file Spec files, and all that they import, as one script for a page.
 */
import { build } from 'esbuild';
import { propertySeed } from '../support/property.js';
import { projectRoot } from '../support/sourceFiles.js';
import { standIns } from './standIns.js';

export interface Bundle {
  readonly script: string;
  /** The source map, as text. */
  readonly map: string;
}

/**
 * Bundles `entries` (paths from the project's root) to run in that order.
 *
 * @param size how much they draw: more inputs are Node's, as in a page the engine is what differs, unless the page is
 * @throws esbuild's own error, which names the file and the line, where an entry needs what only Node has
 */
export async function bundle(entries: readonly string[], size: 'test' | 'ci' = 'test'): Promise<Bundle> {
  const { outputFiles } = await build({
    stdin: { contents: entries.map((path) => `import './${path}';`).join('\n'), resolveDir: projectRoot },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    outfile: 'specs.js',
    sourcemap: 'external',
    define: { 'process.env': JSON.stringify({ EINSTREAM_SEED: String(propertySeed()), EINSTREAM_SIZE: size }) },
    plugins: [standIns],
    logLevel: 'silent',
  });
  const text = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))!.text;
  return { script: text('specs.js'), map: text('specs.js.map') };
}
