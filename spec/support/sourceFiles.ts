/** @file Reads the project's own sources, for the specs that check the code as text. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json. */
export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/** Text by path (relative to the project, `/` between folders) of each file below `folder` that ends in one of `endings`. */
export function sourceFiles(folder: string, endings: readonly string[] = ['.ts']): ReadonlyMap<string, string> {
  const root = join(projectRoot, folder);
  if (!existsSync(root)) return new Map();
  const names = namesBelow(root, '').filter((name) => endings.some((end) => name.endsWith(end)));
  return new Map(names.sort().map((name) => [`${folder}/${name}`, readFileSync(join(root, name), 'utf8')]));
}

/** What is installed there (the peers of the benchmark) is not ours, and has thousands of files. */
const namesBelow = (root: string, folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [name];
    return entry.name === 'node_modules' ? [] : namesBelow(root, name);
  });
