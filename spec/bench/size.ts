/**
 * @file `npm run size`: what a page downloads that imports the core, minified and compressed.
 */
import { build } from 'esbuild';
import { gzipSync } from 'node:zlib';
import { projectRoot } from '../support/sourceFiles.js';

/** What a page of the core is. */
const CORE = "export { tensor, einsum, graph, run, js, wasm } from './src/index.ts'";
/** gzip's bytes that the core may take without its two dependencies. */
export const LIMIT = 60 * 1024;

export interface Size {
  readonly minified: number;
  readonly gzip: number;
  /** Every module in the bundle, from the root of the project. */
  readonly modules: readonly string[];
}

/** The bundle of an entry; `external` packages stay outside. */
export async function sizeOf(entry: string, external: readonly string[]): Promise<Size> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: entry, resolveDir: projectRoot, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    external: [...external],
    metafile: true,
    write: false,
    absWorkingDir: projectRoot,
    logLevel: 'silent',
  });
  const [{ contents }] = outputFiles;
  return { minified: contents.length, gzip: gzipSync(contents, { level: 9 }).length, modules: Object.keys(metafile.inputs) };
}

export const coreSizes = async (): Promise<{ readonly alone: Size; readonly whole: Size }> => ({
  alone: await sizeOf(CORE, ['rxjs', 'immer']),
  whole: await sizeOf(CORE, []),
});
