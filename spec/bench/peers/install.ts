/**
 * @file The peers' own package: installed when it is first needed, and again when its lock file has changed.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Installs what the lock file in `folder` names; no package runs a script. */
export function install(folder: string, tell: (line: string) => void): void {
  const installed = join(folder, 'node_modules/.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs) return;
  tell('installing the peers (about 900 MB)');
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** The Node to run on: this one, one of the installed ones by its major version, or a path. */
export function nodeAt(folder: string, wanted: string | undefined): string {
  if (wanted === undefined) return process.execPath;
  if (!/^\d+$/.test(wanted)) return wanted;
  if (process.versions.node.startsWith(`${wanted}.`)) return process.execPath;
  const path = join(folder, `node_modules/node-${wanted}/bin/node`);
  if (!existsSync(path)) throw new Error(`Node ${wanted} is not among the installed ones: give the path of its program`);
  return path;
}
