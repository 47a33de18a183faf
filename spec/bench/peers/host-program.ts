/**
 * @file The hosts as one JavaScript file, which any Node can run. It lies where the peers are found.
 */
import { build } from 'esbuild';
import { join } from 'node:path';

/** The file's path. */
export async function hostProgram(folder: string): Promise<string> {
  const outfile = join(folder, 'node_modules/.hosts/main.mjs');
  await build({
    entryPoints: [join(folder, 'hosts/main.ts')],
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
  return outfile;
}
