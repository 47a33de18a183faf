/**
 * @file `npm run size`: what a page downloads that imports the core, minified and compressed.
 */
import { build } from 'esbuild';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { projectRoot } from '../support/sourceFiles.js';

/** What a page of the core is. */
const CORE = "export { tensor, einsum, graph, run, js, wasm } from './src/index.ts'";
/** gzip's bytes that a page may download before it computes, without the two dependencies. */
export const LIMIT = 60 * 1024;

/** A file of the bundle. */
export interface Chunk {
  /** The module that is loaded by it when it is asked for; undefined for what a page loads before anything runs. */
  readonly later?: string;
  readonly minified: number;
  readonly gzip: number;
  /** Every module of which the chunk holds anything, from the root of the project. */
  readonly modules: readonly string[];
}

/** The bundle of an entry, in the files that a page loads; `external` packages stay outside. */
export async function chunksOf(entry: string, external: readonly string[]): Promise<readonly Chunk[]> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: entry, resolveDir: projectRoot, loader: 'ts' },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    external: [...external],
    metafile: true,
    write: false,
    outdir: 'bundle',
    absWorkingDir: projectRoot,
    logLevel: 'silent',
  });
  const contentOf = new Map(outputFiles.map(({ path, contents }) => [path, contents]));
  const [page] = Object.keys(metafile.outputs).filter((name) => metafile.outputs[name].entryPoint === '<stdin>');
  const first = reached(page);
  return Object.entries(metafile.outputs).map(([name, { inputs, entryPoint }]) => {
    const contents = contentOf.get(join(projectRoot, name))!;
    return {
      later: first.has(name) ? undefined : (entryPoint ?? 'what those loaded later share'),
      minified: contents.length,
      gzip: gzipSync(contents, { level: 9 }).length,
      modules: Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0),
    };
  });

  /** The chunks that one imports at once, itself among them. */
  function reached(from: string): ReadonlySet<string> {
    const found = new Set([from]);
    for (const name of found)
      for (const { path, kind } of metafile.outputs[name].imports)
        if (kind === 'import-statement' && path in metafile.outputs) found.add(path);
    return found;
  }
}

export interface Sizes {
  readonly alone: readonly Chunk[];
  readonly whole: readonly Chunk[];
}

export const coreSizes = async (): Promise<Sizes> => ({
  alone: await chunksOf(CORE, ['rxjs', 'immer']),
  whole: await chunksOf(CORE, []),
});
