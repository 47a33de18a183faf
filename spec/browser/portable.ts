/**
 * @file Which spec files can run in a page: those that need nothing of Node but the corpus's files.
 */
import { build } from 'esbuild';
import { projectRoot, sourceFiles } from '../support/sourceFiles.js';
import { standIns } from './standIns.js';

/** Packages that work in a page. */
const PORTABLE = /^(rxjs|rxjs\/testing|rxjs\/operators|immer|chai|fast-check|expect-type)$/;
/** What only Node has. `process.env` is replaced when a script is bundled. */
const NODE_GLOBALS = /\bprocess\.(?!env\b)|\bBuffer\b|\b__dirname\b|\bimport\.meta\b/;
/** Asks where it lies, of a stand-in that does not mind. */
const READER = 'spec/oracle/corpus.ts';

/** Paths of all spec files that can run in a page, and of the others with what keeps each in Node. */
export async function portableSpecs(): Promise<{
  readonly portable: readonly string[];
  readonly others: ReadonlyMap<string, string>;
}> {
  const texts = sourceFiles('spec');
  const paths = [...texts.keys()].filter((path) => path.endsWith('-spec.ts') && !path.startsWith('spec/browser/'));
  const { metafile } = await build({
    stdin: { contents: paths.map((path) => `import './${path}';`).join('\n'), resolveDir: projectRoot },
    absWorkingDir: projectRoot,
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    packages: 'external',
    plugins: [standIns],
    metafile: true,
    logLevel: 'silent',
  });
  const reason = (entry: string): string | undefined => {
    const seen = new Set<string>();
    const next = [entry];
    for (let path = next.pop(); path !== undefined; path = next.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const global = path === READER ? null : NODE_GLOBALS.exec(texts.get(path) ?? '');
      if (global) return `${path} uses ${global[0]}`;
      for (const { path: imported, external } of metafile.inputs[path].imports) {
        if (external !== true) next.push(imported);
        else if (!PORTABLE.test(imported)) return `${path} imports ${imported}`;
      }
    }
    return undefined;
  };
  const reasons = new Map(paths.map((path) => [path, reason(path)]));
  return {
    portable: paths.filter((path) => reasons.get(path) === undefined),
    others: new Map([...reasons].filter((entry): entry is [string, string] => entry[1] !== undefined)),
  };
}
