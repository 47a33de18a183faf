/**
 * @file The hosts as one JavaScript file, which any Node can run. It lies where the peers are found.
 */
import { build, type BuildOptions } from 'esbuild';
import { join } from 'node:path';

/** The file's path. */
export async function hostProgram(folder: string): Promise<string> {
  const outfile = join(folder, 'node_modules/.hosts/main.mjs');
  const common: BuildOptions = { bundle: true, format: 'esm', platform: 'node', target: 'node20', logLevel: 'warning' };
  await build({ ...common, entryPoints: [join(folder, 'hosts/main.ts')], outfile, packages: 'external' });
  // TensorFlow.js publishes this part as a module that Node cannot load by itself. What it registers with is global.
  await build({
    ...common,
    entryPoints: [join(folder, 'node_modules/@tensorflow/tfjs-core/dist/register_all_gradients.js')],
    outfile: join(folder, 'node_modules/.hosts/tfjs-gradients.mjs'),
  });
  return outfile;
}
